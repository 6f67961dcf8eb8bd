/** Rate limit for Shopify's standard plan: 2,000 points, restored at 100 points per second. */
const MAXIMUM = 2_000;
const RESTORE = 100;

/** Rate limit bucket for one shop. */
export class Bucket {
  #available = MAXIMUM;
  #at: number;
  readonly #clock: () => number;

  constructor(clock: () => number) {
    this.#clock = clock;
    this.#at = clock();
  }

  /**
   * Takes points from the bucket and returns true. If the bucket doesn't contain enough points, takes none and returns
   * false.
   */
  take(cost: number): boolean {
    this.#refill();
    if (this.#available < cost) return false;
    this.#available -= cost;
    return true;
  }

  /** Returns unused points to the bucket. */
  giveBack(points: number): void {
    this.#available = Math.min(MAXIMUM, this.#available + points);
  }

  /** Sets a shop's available points. */
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
