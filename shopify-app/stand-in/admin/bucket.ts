/** How much a shop may ask in a moment, as on Shopify's standard plan: 2,000 points, 100 restored a second. */
const MAXIMUM = 2_000;
const RESTORE = 100;

/** The points of one shop. */
export class Bucket {
  #available = MAXIMUM;
  #at: number;
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#at = clock();
  }

  /** Takes the points, or says that there are too few; a refused query costs nothing. */
  take(cost: number): boolean {
    this.#refill();
    if (this.#available < cost) return false;
    this.#available -= cost;
    return true;
  }

  /** Gives back what an answer did not use. */
  giveBack(points: number): void {
    this.#available = Math.min(MAXIMUM, this.#available + points);
  }

  /** Leaves a shop with just so many points. */
  drainTo(points: number): void {
    this.#refill();
    this.#available = points;
  }

  get status() {
    this.#refill();
    return { maximumAvailable: MAXIMUM, currentlyAvailable: Math.floor(this.#available), restoreRate: RESTORE };
  }

  #refill(): void {
    const now = this.#clock();
    this.#available = Math.min(MAXIMUM, this.#available + ((now - this.#at) / 1000) * RESTORE);
    this.#at = now;
  }
}
