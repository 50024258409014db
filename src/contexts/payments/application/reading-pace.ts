/**
 * How many blocks one turn reads of a network: half as many each time its node gives out, so that one that limits
 * its callers still gets somewhere, and twice as many again with each turn that it answers.
 */
export class ReadingPace {
  private readonly blocks = new Map<string, number>();

  /** @param most bounds a unit of work while catching up */
  constructor(private readonly most: number) {}

  of(network: string): number {
    return this.blocks.get(network) ?? this.most;
  }

  slowDown(network: string): void {
    this.blocks.set(network, Math.max(1, Math.floor(this.of(network) / 2)));
  }

  speedUp(network: string): void {
    this.blocks.set(network, Math.min(this.most, this.of(network) * 2));
  }
}
