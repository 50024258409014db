import type { SettlementStatus } from '../../contract/settlement-events.js';

/** The statuses that a record can have: it is made once its money is in a block. */
export type RecordedStatus = Exclude<SettlementStatus, 'pending'>;

/** A settlement that was final fails only by a reorganisation below finality. */
const EDGES: Record<RecordedStatus, readonly RecordedStatus[]> = {
  processing: ['completed', 'failed'],
  completed: ['failed'],
  failed: [],
};

/** @throws Error where no edge leads there */
export function settlementTransition(from: RecordedStatus, to: RecordedStatus): RecordedStatus {
  if (!EDGES[from].includes(to)) throw new Error(`A ${from} settlement does not become ${to}.`);
  return to;
}
