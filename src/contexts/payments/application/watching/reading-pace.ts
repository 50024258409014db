/** In the blocks of one turn: with fewer, more blocks in the next one leave its unit of work and its memory small. */
const FEW_TRANSFERS = 2_500;

/**
 * How many blocks one turn reads of a network: half as many each time its node gives out, so that one that limits
 * its callers still gets somewhere, and twice as many again with each turn that it answers. Where there is little in
 * the blocks it grows beyond the usual: a turn then costs by its questions, not by what it reads.
 */
export class ReadingPace {
  private readonly blocks = new Map<string, number>();

  /** @param usual bounds a unit of work while catching up @param most where there is little in the blocks */
  constructor(
    private readonly usual: number,
    private readonly most = usual,
  ) {}

  of(network: string): number {
    return this.blocks.get(network) ?? this.usual;
  }

  slowDown(network: string): void {
    this.blocks.set(network, Math.max(1, Math.floor(this.of(network) / 2)));
  }

  /** @param read what the node answered; none where nothing is to be concluded from it */
  speedUp(network: string, read: readonly { readonly transfers: readonly unknown[] }[] = []): void {
    const now = this.of(network);
    const transfers = read.reduce((sum, block) => sum + block.transfers.length, 0);
    if (now < this.usual) this.blocks.set(network, Math.min(this.usual, now * 2));
    else if (read.length >= now && transfers < FEW_TRANSFERS)
      this.blocks.set(network, Math.min(this.most, now * 2));
    else this.blocks.set(network, Math.max(this.usual, Math.floor(now / 2)));
  }
}
