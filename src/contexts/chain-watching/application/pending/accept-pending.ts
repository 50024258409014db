import { Injectable } from '@nestjs/common';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type PendingLook } from '#contexts/networks/contract/pending-transfers.js';
import { isPending, type IncomingTransfer, type SightTimes } from '../../contract/incoming-transfer.js';
import { RecordedTransfers } from '../../contract/recorded-transfers.js';
import { SeenTransfers, type SeenTransfer } from '../../contract/seen-transfers.js';
import {
  CompleteIncomingTransfers,
  placeOf,
  sightAt,
  type TransfersByRequest,
} from '../reading/complete-incoming-transfers.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import type { SightedTransfer } from './pending-queue.js';
import { NOT_IN_A_BLOCK, pendingSince } from './pending-again.js';
import { inheritedSight, replacedBy, type Sighted } from './replaced-transfers.js';

export interface AcceptedPending {
  readonly byRequest: TransfersByRequest;
  /** Ids of recorded transfers that are no longer pending. */
  readonly gone: ReadonlySet<string>;
  /** Hashes of transactions that are completely decided. */
  readonly settled: readonly string[];
}

/** Transfers of one transaction to one request. */
interface Payment {
  readonly request: PaymentRequestId;
  readonly outputs: readonly Sighted[];
  /** Computes the times of a payment first seen at `seenAt`. */
  readonly sightAt: (seenAt: Date) => SightTimes;
}

interface Decided {
  readonly look: PendingLook;
  readonly headTime: Date;
  readonly known: readonly SeenTransfer[];
  readonly arrived: ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>;
  /** Keys (`placeOf`) of the transfers in blocks. */
  readonly mined: ReadonlySet<string>;
  readonly gone: Set<string>;
  readonly accepted: Map<PaymentRequestId, IncomingTransfer[]>;
}

/**
 * How long a transfer may stay pending if its fee was never high enough in that time to be mined soon. Otherwise its payer could
 * keep a locked price, and raise the fee or withdraw the payment after the market has moved.
 */
const LOW_FEE_GRACE_SECONDS = 3_600;

type Decision = 'settled' | 'waits';

/**
 * Decides which transfers of the mempools are recorded, and which recorded transfers end because of them or because of transfers in
 * blocks.
 */
@Injectable()
export class AcceptPending {
  constructor(
    private readonly chains: Chains,
    private readonly transfers: RecordedTransfers,
    private readonly seen: SeenTransfers,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly completeTransfers: CompleteIncomingTransfers,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  /** @param arrived transfers in blocks of this iteration */
  async accept(
    network: string,
    headTime: Date,
    look: PendingLook,
    taken: readonly SightedTransfer[][],
    arrived: ReadonlyMap<PaymentRequestId, readonly IncomingTransfer[]>,
  ): Promise<AcceptedPending> {
    const payments = await this.paymentsOf(network, taken.flat());
    const requests = new Set([...payments.map(({ request }) => request), ...arrived.keys()]);
    const shown = taken.map(([first]) => first!.transactionHash);
    const inBlocks = [...arrived.values()].flat();
    const hashes = [...shown, ...inBlocks.flatMap(({ transactionHash }) => transactionHash ?? [])];
    if (requests.size === 0) return { byRequest: new Map(), gone: new Set(), settled: shown };
    const conflicting = [...payments.flatMap(({ outputs }) => outputs), ...inBlocks].flatMap(({ sight }) =>
      sight === undefined ? [] : this.chains.of(network).pending!.conflictingParts(sight.evidence),
    );
    const decided: Decided = {
      ...{ look, headTime, arrived, gone: new Set(), accepted: new Map() },
      known: await this.seen.known(network, [...new Set(hashes)], conflicting),
      mined: new Set(inBlocks.map(placeOf)),
    };
    this.endByBlocks(decided);
    const left = payments.filter((payment) => this.decide(payment, decided) === 'waits');
    const waits = new Set(left.map(({ outputs }) => outputs[0]!.transactionHash));
    const settled = shown.filter((hash) => !waits.has(hash));
    return { byRequest: decided.accepted, gone: decided.gone, settled };
  }

  /** The payments, first seen first. A known transfer keeps its first sight. */
  private async paymentsOf(network: string, shown: readonly SightedTransfer[]): Promise<Payment[]> {
    if (shown.length === 0) return [];
    const recipients = shown.map(({ to, toTag }) => ({ address: to, tag: toTag }));
    const owners = await this.transfers.owners(network, recipients);
    if (owners.size === 0) return [];
    const asked = await this.seen.asked([...new Set(owners.values())]);
    const { pendingGraceSeconds } = this.catalogue.network(network)!;
    const payments = new Map<string, Payment & { outputs: Sighted[] }>();
    shown.forEach((transfer, i) => {
      const request = owners.get(recipientKey(recipients[i]!));
      const asset = this.catalogue
        .assets()
        .find((known) => known.network === network && known.token === transfer.token);
      if (request === undefined || asset === undefined || transfer.amount <= 0n) return;
      const { token: _, stampedAt: __, heldForMs: ___, paysEnough, evidence, seenAt, ...seen } = transfer;
      const header = { number: Infinity, hash: '', time: seenAt };
      const located = { ...this.matchTransfers.arrivalIn(header, asset, seen.amount), ...seen };
      const grace = paysEnough ? pendingGraceSeconds! : Math.min(pendingGraceSeconds!, LOW_FEE_GRACE_SECONDS);
      const timesAt = (first: Date) => sightAt(first, asked.get(request), grace);
      const output = {
        ...located,
        ...this.completeTransfers.depthOf(located, asked.get(request)),
        ...NOT_IN_A_BLOCK,
        arrivedAt: seenAt,
        sight: { ...timesAt(seenAt), evidence },
      };
      const key = `${request} ${seen.transactionHash}`;
      const payment = payments.get(key) ?? { request, outputs: [], sightAt: timesAt };
      payment.outputs.push(output);
      payments.set(key, payment);
    });
    return [...payments.values()].sort((a, b) => seenAtOf(a) - seenAtOf(b));
  }

  /** Ends pending transfers that are now in a block, or that a transaction in a block replaces. */
  private endByBlocks(decided: Decided): void {
    for (const { canonical, transfer } of decided.known)
      if (canonical && isPending(transfer) && decided.mined.has(placeOf(transfer)))
        decided.gone.add(transfer.id);
    for (const [request, list] of decided.arrived)
      for (const outputs of Map.groupBy(list as Sighted[], ({ transactionHash }) => transactionHash).values())
        for (const { id } of this.replacedBy({ request, outputs }, decided)) decided.gone.add(id);
  }

  private decide(payment: Payment, decided: Decided): Decision {
    const { request, outputs } = payment;
    const { look, headTime, known, mined, gone, accepted, arrived } = decided;
    const [{ network, transactionHash, sight }] = outputs as [Sighted];
    const before = known.filter(({ transfer }) => transfer.transactionHash === transactionHash);
    const prolonged = before.flatMap(({ canonical, paymentRequestId, transfer }) => {
      if (!canonical || paymentRequestId !== request || !isPending(transfer)) return [];
      return prolongedBy(payment, transfer, headTime) ? transfer.id : [];
    });
    const standing = new Set(
      before.flatMap(({ canonical, transfer }) =>
        canonical && !prolonged.includes(transfer.id) ? placeOf(transfer) : [],
      ),
    );
    const fresh = outputs.filter((each) => !standing.has(placeOf(each)) && !mined.has(placeOf(each)));
    if (fresh.length === 0) return 'settled';
    const conflicts = (other: IncomingTransfer) =>
      other.transactionHash !== transactionHash &&
      other.sight !== undefined &&
      this.chains.of(network).pending!.conflict(sight.evidence, other.sight.evidence);
    if (arrived.get(request)?.some(conflicts) === true) return 'settled';
    // If two transactions conflict, the first one is recorded with its first sight. The next iteration lets the other replace it.
    if (accepted.get(request)?.some(conflicts) === true) return 'waits';
    const replaced = this.replacedBy(payment, decided);
    // Endpoints may permanently hold different transactions of a conflicting pair. The one recorded last stays.
    if (before.length > 0 && replaced.some((each) => look.has(each.transactionHash!))) return 'settled';
    const earlier = before.findLast(({ transfer }) => transfer.sight !== undefined)?.transfer.sight;
    const first = replaced.length === 0 ? undefined : inheritedSight(outputs, replaced);
    const inherited = first && laterOf(first, payment.sightAt(first.seenAt));
    const own = earlier && prolonged.length > 0 ? payment.sightAt(earlier.seenAt) : earlier;
    const { seenAt, lapsesAt } = own ?? inherited ?? sight;
    if (lapsesAt < headTime) return 'settled';
    for (const id of [...replaced.map((each) => each.id), ...prolonged]) gone.add(id);
    const dated = fresh.map((each) => pendingSince(each, { ...each.sight, seenAt, lapsesAt }));
    accepted.set(request, [...(accepted.get(request) ?? []), ...dated]);
    return 'settled';
  }

  private replacedBy(
    { request, outputs }: Pick<Payment, 'request' | 'outputs'>,
    { known, gone, headTime }: Decided,
  ) {
    const waiting = known.flatMap(({ canonical, paymentRequestId, transfer }) => {
      const stands = canonical && paymentRequestId === request && !gone.has(transfer.id);
      return stands && transfer.sight !== undefined && transfer.sight.lapsesAt >= headTime ? transfer : [];
    });
    return replacedBy(outputs, waiting, this.chains);
  }
}

/**
 * If the fee becomes high enough before the transfer lapses, the transfer gets the full time, as if the fee had been high enough
 * from the start.
 */
function prolongedBy({ sightAt }: Payment, { sight }: IncomingTransfer, headTime: Date): boolean {
  if (sight === undefined || sight.lapsesAt < headTime) return false;
  return sightAt(sight.seenAt).lapsesAt > sight.lapsesAt;
}

/** A replacement that raises the fee enough may wait as long as if it had been sent first. */
function laterOf(one: SightTimes, other: SightTimes): SightTimes {
  return one.lapsesAt > other.lapsesAt ? one : other;
}

function seenAtOf({ outputs }: Payment): number {
  return outputs[0]!.sight.seenAt.getTime();
}
