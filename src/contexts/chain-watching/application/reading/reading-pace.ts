/** Maximum number of transfers per iteration at which the number of blocks may still grow. */
const FEW_TRANSFERS_PER_ITERATION = 2_500;

/**
 * A failure to read or store blocks halves the number, so that reading still progresses if a node has rate limits.
 */
export class ReadingPace {
  private readonly blocks = new Map<string, number>();

  /**
   * @param usual number of blocks that bounds a unit of work while catching up
   */
  constructor(
    private readonly usual: number,
    private readonly most = usual,
  ) {}

  blocksPerIteration(network: string): number {
    return this.blocks.get(network) ?? this.usual;
  }

  slowDown(network: string): void {
    this.blocks.set(network, Math.max(1, Math.floor(this.blocksPerIteration(network) / 2)));
  }

  /** @param read the blocks read; an empty list never raises the number of blocks above `usual` */
  speedUp(network: string, read: readonly { readonly transfers: readonly unknown[] }[] = []): void {
    const now = this.blocksPerIteration(network);
    const transfers = read.reduce((sum, block) => sum + block.transfers.length, 0);
    if (now < this.usual) this.blocks.set(network, Math.min(this.usual, now * 2));
    else if (read.length >= now && transfers < FEW_TRANSFERS_PER_ITERATION)
      this.blocks.set(network, Math.min(this.most, now * 2));
    else this.blocks.set(network, Math.max(this.usual, Math.floor(now / 2)));
  }
}
