/** Transfers in the blocks of one turn, below which more blocks leave the next unit of work small. */
const FEW_TRANSFERS = 2_500;

/**
 * How many blocks a turn reads of a network. A failure of its node, or of storing what was read, halves the number, so that
 * a node with rate limits still makes progress; each turn that succeeds doubles it, up to the usual number. Blocks with few transfers raise it further, since
 * such a turn costs by its calls, not by its contents.
 */
export class ReadingPace {
  private readonly blocks = new Map<string, number>();

  /** @param usual bounds a unit of work while catching up @param most where there is little in the blocks */
  constructor(
    private readonly usual: number,
    private readonly most = usual,
  ) {}

  blocksPerTurn(network: string): number {
    return this.blocks.get(network) ?? this.usual;
  }

  slowDown(network: string): void {
    this.blocks.set(network, Math.max(1, Math.floor(this.blocksPerTurn(network) / 2)));
  }

  /** @param read the blocks that were read; empty where they must not raise the number beyond the usual */
  speedUp(network: string, read: readonly { readonly transfers: readonly unknown[] }[] = []): void {
    const now = this.blocksPerTurn(network);
    const transfers = read.reduce((sum, block) => sum + block.transfers.length, 0);
    if (now < this.usual) this.blocks.set(network, Math.min(this.usual, now * 2));
    else if (read.length >= now && transfers < FEW_TRANSFERS)
      this.blocks.set(network, Math.min(this.most, now * 2));
    else this.blocks.set(network, Math.max(this.usual, Math.floor(now / 2)));
  }
}
