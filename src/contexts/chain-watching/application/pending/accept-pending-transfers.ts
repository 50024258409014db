import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import type { Asset } from '#shared/kernel/asset.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { recipientKey } from '#contexts/networks/contract/deposit-addresses.js';
import { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { type MempoolSnapshot } from '#contexts/networks/contract/pending-transfers.js';
import { isPendingTransfer, type IncomingTransfer } from '../../contract/incoming-transfer.js';
import { RecordedTransfers } from '../../contract/recorded-transfers.js';
import { PendingTransferRecords, type KnownTransfer } from '../../contract/pending-transfer-records.js';
import { EnrichIncomingTransfers } from '../reading/enrich-incoming-transfers.js';
import { MatchIncomingTransfers } from '../reading/match-incoming-transfers.js';
import { transferKey, type TransfersByRequest } from '../transfers-by-request.js';
import type { FirstSeenTransfer } from './pending-transfer-queue.js';
import { PENDING_TRANSFER_FIELDS, toPendingTransfer } from './pending-again.js';
import {
  isGracePeriodExtended,
  findReplacedTransfers,
  computeFirstSeenTimes,
  chooseFirstSeen,
  type PendingPayment,
  type WithFirstSeen,
} from './first-seen.js';

export interface AcceptedPendingTransfers {
  readonly byRequest: TransfersByRequest;
  readonly ended: ReadonlySet<string>;
  readonly decided: readonly string[];
}

interface PendingFacts {
  readonly look: MempoolSnapshot;
  readonly headTime: Date;
  /**
   * Recorded transfers of the same transactions, and recorded pending transfers that may conflict with these
   * transactions.
   */
  readonly known: readonly KnownTransfer[];
  readonly arrived: TransfersByRequest;
  readonly mined: ReadonlySet<string>;
}

type PendingDecision =
  /** The payment is already recorded, conflicts with a transaction that is kept, or has waited too long to be mined. */
  | { readonly kind: 'ignored' }
  /** The payment conflicts with another payment that this iteration records. */
  | { readonly kind: 'deferred' }
  | { readonly kind: 'recorded'; readonly transfers: readonly IncomingTransfer[]; readonly ended: string[] };

/**
 * Otherwise a payer could keep a locked price and raise the fee or withdraw the payment after the market has moved.
 */
const LOW_FEE_GRACE_SECONDS = 3_600;

/**
 * Payments are decided in the order of first sight: a conflicting later one inherits the first sight only if it
 * replaces the earlier one.
 */
@Injectable()
export class AcceptPendingTransfers {
  constructor(
    private readonly chains: Chains,
    private readonly transfers: RecordedTransfers,
    private readonly seen: PendingTransferRecords,
    private readonly matchTransfers: MatchIncomingTransfers,
    private readonly completeTransfers: EnrichIncomingTransfers,
    private readonly catalogue: NetworkCatalogue,
  ) {}

  async accept(
    network: string,
    headTime: Date,
    look: MempoolSnapshot,
    taken: readonly FirstSeenTransfer[][],
    arrived: TransfersByRequest,
  ): Promise<AcceptedPendingTransfers> {
    const payments = await this.groupOwnPayments(network, taken.flat());
    const hashes = taken.map(([first]) => first!.transactionHash);
    if (payments.length === 0 && arrived.size === 0)
      return { byRequest: new Map(), ended: new Set(), decided: hashes };
    const inBlocks = [...arrived.values()].flat();
    const known = await this.findKnownTransfers(network, hashes, payments, inBlocks);
    const facts = { look, headTime, known, arrived, mined: new Set(inBlocks.map(transferKey)) };
    const ended = new Set(this.findTransfersEndedByBlocks(facts));
    const recorded = new Map<PaymentRequestId, readonly IncomingTransfer[]>();
    const deferred = new Set<string | null>();
    for (const payment of payments) {
      const before = recorded.get(payment.request) ?? [];
      const decision = this.decidePayment(payment, facts, ended, before);
      if (decision.kind === 'deferred') deferred.add(payment.outputs[0]!.transactionHash);
      if (decision.kind !== 'recorded') continue;
      recorded.set(payment.request, [...before, ...decision.transfers]);
      for (const id of decision.ended) ended.add(id);
    }
    return { byRequest: recorded, ended, decided: hashes.filter((hash) => !deferred.has(hash)) };
  }

  private async groupOwnPayments(
    network: string,
    shown: readonly FirstSeenTransfer[],
  ): Promise<PendingPayment[]> {
    if (shown.length === 0) return [];
    const owners = await this.transfers.findOwners(
      network,
      shown.map(({ to, toTag }) => ({ address: to, tag: toTag })),
    );
    if (owners.size === 0) return [];
    const terms = await this.seen.findRequestTerms([...new Set(owners.values())]);
    const assets = this.catalogue.assets().filter((asset) => asset.network === network);
    const owned = shown.flatMap((transfer) => {
      const request = owners.get(recipientKey({ address: transfer.to, tag: transfer.toTag }));
      const asset = assets.find(({ token }) => token === transfer.token);
      return request === undefined || asset === undefined || transfer.amount <= 0n
        ? []
        : { request, asset, transfer };
    });
    const { pendingGraceSeconds } = this.catalogue.network(network)!;
    const groups = Map.groupBy(owned, ({ request, transfer }) => `${request} ${transfer.transactionHash}`);
    const payments = [...groups.values()].map((group) => {
      const { request, transfer } = group[0]!;
      const graceSeconds = transfer.paysEnough
        ? pendingGraceSeconds!
        : Math.min(pendingGraceSeconds!, LOW_FEE_GRACE_SECONDS);
      const ofRequest = { request, terms: terms.get(request), graceSeconds };
      return {
        ...ofRequest,
        outputs: group.map((each) => this.toSightedOutput(each.transfer, each.asset, ofRequest)),
      };
    });
    const seenAtOf = ({ outputs }: PendingPayment) => outputs[0]!.sight.seenAt.getTime();
    return payments.sort((a, b) => seenAtOf(a) - seenAtOf(b));
  }

  private toSightedOutput(
    {
      token: _,
      stampedAt: __,
      heldForMs: ___,
      paysEnough: ____,
      evidence,
      seenAt,
      ...seen
    }: FirstSeenTransfer,
    asset: Asset,
    { terms, graceSeconds }: Omit<PendingPayment, 'outputs'>,
  ): WithFirstSeen {
    const header = { number: Infinity, hash: '', time: seenAt };
    const located = { ...this.matchTransfers.toTransferFields(header, asset, seen.amount), ...seen };
    return {
      ...located,
      ...this.completeTransfers.computeRequiredConfirmations(located, terms),
      ...PENDING_TRANSFER_FIELDS,
      arrivedAt: seenAt,
      sight: { ...computeFirstSeenTimes(seenAt, terms, graceSeconds), evidence },
    };
  }

  private findKnownTransfers(
    network: string,
    hashes: readonly string[],
    payments: readonly PendingPayment[],
    inBlocks: readonly IncomingTransfer[],
  ): Promise<KnownTransfer[]> {
    const minedHashes = inBlocks.flatMap(({ transactionHash }) => transactionHash ?? []);
    const conflicting = [...payments.flatMap(({ outputs }) => outputs), ...inBlocks].flatMap(({ sight }) =>
      sight === undefined ? [] : this.chains.of(network).pending!.conflictingEvidenceParts(sight.evidence),
    );
    return this.seen.knownTransfers(network, [...new Set([...hashes, ...minedHashes])], conflicting);
  }

  private findTransfersEndedByBlocks(facts: PendingFacts): string[] {
    const mined = facts.known.filter(
      ({ canonical, transfer }) =>
        canonical && isPendingTransfer(transfer) && facts.mined.has(transferKey(transfer)),
    );
    const replaced = [...facts.arrived].flatMap(([request, list]) =>
      [
        ...Map.groupBy(list as readonly WithFirstSeen[], ({ transactionHash }) => transactionHash).values(),
      ].flatMap((outputs) => this.findPendingTransfersReplacedBy({ request, outputs }, facts, new Set())),
    );
    return [...mined.map(({ transfer }) => transfer.id), ...replaced.map(({ id }) => id)];
  }

  private decidePayment(
    payment: PendingPayment,
    facts: PendingFacts,
    ended: ReadonlySet<string>,
    recordedBefore: readonly IncomingTransfer[],
  ): PendingDecision {
    const { request, outputs } = payment;
    const { look, headTime, known, mined, arrived } = facts;
    const [{ network, transactionHash, sight }] = outputs as [WithFirstSeen];
    const ofTransaction = known.filter(({ transfer }) => transfer.transactionHash === transactionHash);
    const extended = ofTransaction.filter(
      ({ canonical, paymentRequestId, transfer }) =>
        canonical && paymentRequestId === request && isGracePeriodExtended(payment, transfer, headTime),
    );
    const unchanged = ofTransaction.filter((each) => each.canonical && !extended.includes(each));
    const recordedKeys = new Set(unchanged.map(({ transfer }) => transferKey(transfer)));
    const unrecorded = outputs.filter(
      (output) => !recordedKeys.has(transferKey(output)) && !mined.has(transferKey(output)),
    );
    if (unrecorded.length === 0) return { kind: 'ignored' };
    const conflicts = (other: IncomingTransfer) =>
      other.transactionHash !== transactionHash &&
      other.sight !== undefined &&
      this.chains.of(network).pending!.areConflicting(sight.evidence, other.sight.evidence);
    if (arrived.get(request)?.some(conflicts) === true) return { kind: 'ignored' };
    // The earlier of two conflicting payments is recorded first. The next iteration then lets the later payment
    // replace it.
    if (recordedBefore.some(conflicts)) return { kind: 'deferred' };
    const replaced = this.findPendingTransfersReplacedBy(payment, facts, ended);
    // Two endpoints may permanently hold conflicting transactions, which must not replace each other in every
    // iteration.
    if (ofTransaction.length > 0 && replaced.some((each) => look.has(each.transactionHash!)))
      return { kind: 'ignored' };
    const { seenAt, lapsesAt } = chooseFirstSeen(payment, ofTransaction, extended.length > 0, replaced);
    if (lapsesAt < headTime) return { kind: 'ignored' };
    return {
      kind: 'recorded',
      transfers: unrecorded.map((each) => toPendingTransfer(each, { ...each.sight, seenAt, lapsesAt })),
      ended: [...replaced.map(({ id }) => id), ...extended.map(({ transfer }) => transfer.id)],
    };
  }

  private findPendingTransfersReplacedBy(
    { request, outputs }: Pick<PendingPayment, 'request' | 'outputs'>,
    { known, headTime }: PendingFacts,
    ended: ReadonlySet<string>,
  ) {
    const candidates = known.filter(
      ({ canonical, paymentRequestId, transfer }) =>
        canonical &&
        paymentRequestId === request &&
        !ended.has(transfer.id) &&
        transfer.sight !== undefined &&
        transfer.sight.lapsesAt >= headTime,
    );
    return findReplacedTransfers(
      outputs,
      candidates.map(({ transfer }) => transfer),
      this.chains.of(outputs[0]!.network).pending!,
    );
  }
}
