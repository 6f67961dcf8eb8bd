/** How much a shop may ask in a moment, as Shopify's standard plan has it: 2,000 points, 100 restored a second. */
const MAXIMUM = 2_000;
const RESTORE = 100;

/** The points of one shop. */
export class Bucket {
  #available = MAXIMUM;
  #at = Date.now();

  /** Takes the points, or says that there are too few; a refused query costs nothing. */
  take(cost: number): boolean {
    this.#refill();
    if (this.#available < cost) return false;
    this.#available -= cost;
    return true;
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
    const now = Date.now();
    this.#available = Math.min(MAXIMUM, this.#available + ((now - this.#at) / 1000) * RESTORE);
    this.#at = now;
  }
}
