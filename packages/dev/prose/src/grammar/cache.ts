import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../../../node_modules/.cache/compliance-prose/', import.meta.url));
const FILE = `${FOLDER}grammar.txt`;

/**
 * Maximum number of hashes to load. If the cache file contains more hashes, the cache starts empty, because most of the hashes
 * belong to texts that have since changed.
 */
const MAX_HASHES = 100_000;

/** Persistent cache with hashes of texts without grammar errors. `version` must include everything that can change a result. */
export class Cache {
  readonly #version: string;
  readonly #hashes: Set<string>;
  #isChanged = false;

  constructor(version: string) {
    this.#version = version;
    this.#hashes = new Set(readHashes());
  }

  has(text: string): boolean {
    return this.#hashes.has(this.#hash(text));
  }

  add(text: string): void {
    this.#hashes.add(this.#hash(text));
    this.#isChanged = true;
  }

  save(): void {
    if (!this.#isChanged) return;
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(FILE, [...this.#hashes].join('\n'));
  }

  #hash(text: string): string {
    return createHash('sha256').update(this.#version).update('\0').update(text).digest('base64url').slice(0, 16);
  }
}

function readHashes(): string[] {
  try {
    const hashes = readFileSync(FILE, 'utf8').split('\n');
    return hashes.length > MAX_HASHES ? [] : hashes;
  } catch {
    return [];
  }
}
