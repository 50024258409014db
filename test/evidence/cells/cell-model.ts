import type { SeededRandom } from '#shared/kernel/testing/seeded-random.js';
import { ASSUMED, bytesAtRate, coresAtRate } from './cell-figures.js';

/** Shares of a cell's limit: new organizations go to cells below the first; above the last some move, down to the middle one. */
const TAKES_NEW = 0.6;
const MOVED_DOWN_TO = 0.75;
const MOVES_ABOVE = 0.9;
const DAY = 86_400;
/** Payments a day at the start: Pareto, with a fifth of the organizations having four fifths of the payments. */
const [LEAST, MOST, SHAPE] = [20, 500_000, 1.16];

export interface Organization {
  readonly id: number;
  /** Payments a second, on average. */
  rate: number;
  readonly growth: number;
}

export interface Move {
  readonly organization: number;
  readonly bytes: number;
}

/** A database with its processes; `rate` is the sum of its organizations'. */
export interface ModelCell {
  readonly organizations: Organization[];
  rate: number;
}

/** Organizations that come, grow, and are moved where their cell becomes too full. */
export class CellModel {
  readonly cells: ModelCell[] = [];
  readonly moves: Move[] = [];
  private born = 0;

  /** @param limitBytes the bytes of one cell's database */
  constructor(
    private readonly random: SeededRandom,
    private readonly limitBytes: number,
  ) {}

  /** @param arriving organizations */
  month(arriving: number): void {
    for (const cell of this.cells) {
      for (const organization of cell.organizations) organization.rate *= organization.growth;
      cell.rate = cell.organizations.reduce((sum, { rate }) => sum + rate, 0);
    }
    for (let n = 0; n < arriving; n += 1) this.arrive();
    for (const cell of [...this.cells]) this.relieve(cell);
  }

  /** The share of the limit that is met first; bytes are those of the present rate, which come in the next months. */
  fill(rate: number): number {
    return Math.max(bytesAtRate(rate) / this.limitBytes, coresAtRate(rate) / ASSUMED.postgresCores);
  }

  private arrive(): void {
    const perDay = Math.min(MOST, LEAST * (1 - this.random.next()) ** (-1 / SHAPE));
    const growth = 0.99 + 0.03 * this.random.next();
    this.place({ id: (this.born += 1), rate: perDay / DAY, growth }, TAKES_NEW);
  }

  /** Into the emptiest cell that stays below the share, else a new one. */
  private place(organization: Organization, share: number, except?: ModelCell): void {
    let place: ModelCell | undefined;
    for (const cell of this.cells)
      if (cell !== except && (place === undefined || cell.rate < place.rate)) place = cell;
    if (place === undefined || this.fill(place.rate + organization.rate) >= share) {
      place = { organizations: [], rate: 0 };
      this.cells.push(place);
    }
    place.organizations.push(organization);
    place.rate += organization.rate;
  }

  /** Moves the smallest organization that suffices, else the largest but one, until the cell is relieved or has one alone. */
  private relieve(cell: ModelCell): void {
    if (this.fill(cell.rate) <= MOVES_ABOVE) return;
    const bySize = cell.organizations.sort((one, other) => one.rate - other.rate);
    while (this.fill(cell.rate) > MOVED_DOWN_TO && bySize.length > 1) {
      const sufficient = bySize.findIndex(({ rate }) => this.fill(cell.rate - rate) <= MOVED_DOWN_TO);
      const [moved] = bySize.splice(sufficient < 0 ? bySize.length - 2 : sufficient, 1);
      cell.rate -= moved!.rate;
      this.place(moved!, MOVED_DOWN_TO, cell);
      this.moves.push({ organization: moved!.id, bytes: bytesAtRate(moved!.rate) });
    }
  }
}
