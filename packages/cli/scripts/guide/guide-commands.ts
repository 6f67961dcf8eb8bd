import { readFileSync } from 'node:fs';

/** A command line in the self-hosting guide. */
export interface GuideCommand {
  /** Heading above the command, such as `Upgrade`. */
  readonly section: string;
  /** Deployment type that the command applies to. */
  readonly way: 'compose' | 'systemd';
  readonly line: string;
}

/** Returns the command lines in docs/guides/self-host.md, in order. */
export function guideCommands(): GuideCommand[] {
  const text = readFileSync(new URL('../../../../docs/guides/self-host.md', import.meta.url), 'utf8');
  return text.split(/^## /m).flatMap(part => {
    const section = part.split('\n', 1)[0]!;
    return [...part.matchAll(/^```sh no-run="pnpm guide runs it"\n([\s\S]*?)^```/gm)].flatMap(([, block]) => {
      const lines = block!.trimEnd().split('\n');
      const way = lines[0]!.startsWith('docker ') ? ('compose' as const) : ('systemd' as const);
      return lines.map(line => ({ section, way, line }));
    });
  });
}
