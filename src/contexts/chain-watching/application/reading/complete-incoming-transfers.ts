import { Injectable } from '@nestjs/common';
import { Clock } from '#shared/kernel/clock.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import { Chains } from '#contexts/networks/contract/chains.js';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import { requiredConfirmations } from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type {
  IncomingTransfer,
  RecordedTransfer,
  SightTimes,
  Transfer,
} from '../../contract/incoming-transfer.js';
import { SeenTransfers, type Asked } from '../../contract/seen-transfers.js';
import { inheritedSight, replacedBy } from '../pending/replaced-transfers.js';

export type ReadTransfer = IncomingTransfer & Pick<ChainTransfer, 'stampedAt' | 'evidence'>;
export type TransfersByRequest<T extends IncomingTransfer = IncomingTransfer> = ReadonlyMap<
  PaymentRequestId,
  T[]
>;

/**
 * Adds data that blocks do not contain: the required confirmations, which depend on the amount requested, and the time of first
 * sight. Queries nothing if the network follows no pending transfers and requires the same confirmations for every amount.
 */
@Injectable()
export class CompleteIncomingTransfers {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly seen: SeenTransfers,
    private readonly chains: Chains,
    private readonly clock: Clock,
  ) {}

  async complete(name: string, arrivals: TransfersByRequest<ReadTransfer>): Promise<TransfersByRequest> {
    const network = this.catalogue.network(name)!;
    const follows = network.pendingGraceSeconds !== undefined;
    const isByAmount = this.catalogue.assets().some((asset) => asset.network === name && asset.depths);
    if (arrivals.size === 0 || !(follows || isByAmount)) return arrivals;
    const asked = await this.seen.asked([...arrivals.keys()]);
    const deep = [...arrivals].map(
      ([id, list]) => [id, list.map((each) => ({ ...each, ...this.depthOf(each, asked.get(id)) }))] as const,
    );
    return new Map(follows ? await this.dated(network, deep, asked) : deep);
  }

  /** Uses the greater of the transfer's amount and the amount requested, so that splitting a payment does not make it final sooner. */
  depthOf(
    {
      network: name,
      uniqueAssetId,
      amount,
      spendableAfter = 0,
    }: Pick<ReadTransfer, 'network' | 'uniqueAssetId' | 'amount' | 'spendableAfter'>,
    asked?: Asked,
  ) {
    const network = this.catalogue.network(name)!;
    const asset = this.catalogue.asset(uniqueAssetId) ?? {};
    const whole = asked?.amounts.get(uniqueAssetId) ?? 0n;
    const byAmount = requiredConfirmations(network, asset, amount > whole ? amount : whole);
    const required = Math.max(byAmount, spendableAfter);
    const { finality } = network;
    const least = finality.kind === 'confirmations' ? finality.confirmations : byAmount;
    return { requiredConfirmations: required, extraConfirmations: Math.max(0, required - least) };
  }

  private async dated(
    { network, pendingGraceSeconds }: Network,
    arrivals: readonly (readonly [PaymentRequestId, ReadTransfer[]])[],
    asked: ReadonlyMap<PaymentRequestId, Asked>,
  ): Promise<(readonly [PaymentRequestId, IncomingTransfer[]])[]> {
    const hashes = arrivals.flatMap(([, list]) =>
      list.flatMap(({ transactionHash }) => transactionHash ?? []),
    );
    const conflicting = arrivals.flatMap(([, list]) =>
      list.flatMap(({ evidence = {} }) => this.chains.of(network).pending!.conflictingParts(evidence)),
    );
    const known = await this.seen.known(network, [...new Set(hashes)], conflicting);
    const now = await this.clock.now();
    const seenBefore = new Map(known.map(({ transfer }) => [placeOf(transfer), transfer.sight]));
    const standing = Map.groupBy(
      known.filter(({ canonical }) => canonical),
      ({ paymentRequestId }) => paymentRequestId,
    );
    return arrivals.map(([id, list]) => {
      const others = (standing.get(id) ?? []).map(({ transfer }) => transfer);
      const dated = [...Map.groupBy(list, ({ transactionHash }) => transactionHash).values()].flatMap(
        (outputs) => {
          const inherited = this.inherited(outputs, others);
          return outputs.map((arrival) => {
            const stamp = arrival.stampedAt ?? arrival.blockTime;
            const first = sightAt(stamp < now ? stamp : now, asked.get(id), pendingGraceSeconds!);
            return inBlock(arrival, stamp, seenBefore.get(placeOf(arrival)) ?? inherited ?? first);
          });
        },
      );
      return [id, dated] as const;
    });
  }

  private inherited(
    outputs: readonly ReadTransfer[],
    others: readonly RecordedTransfer[],
  ): SightTimes | undefined {
    const replacing = outputs.map(({ evidence = {}, ...output }) => ({ ...output, sight: { evidence } }));
    const replaced = replacedBy(replacing, others, this.chains);
    return replaced.length === 0 ? undefined : inheritedSight(replacing, replaced);
  }
}

/** Identifies a transfer by its transaction and index. */
export function placeOf({ transactionHash, index }: Pick<Transfer, 'transactionHash' | 'index'>): string {
  return `${transactionHash} ${index}`;
}

/** The first sight of a transfer that was never seen before. @param asked absent if the request no longer exists */
export function sightAt(seenAt: Date, asked: Asked | undefined, graceSeconds: number): SightTimes {
  const from = asked !== undefined && asked.expiresAt > seenAt ? asked.expiresAt : seenAt;
  return { seenAt, lapsesAt: new Date(from.getTime() + graceSeconds * 1_000) };
}

/**
 * Adds the time received. A transfer mined after `lapsesAt` counts as received when it was mined, because it had been treated as
 * lapsed.
 */
function inBlock(
  { stampedAt: _, evidence = {}, ...arrival }: ReadTransfer,
  stamp: Date,
  { seenAt, lapsesAt }: SightTimes,
): IncomingTransfer {
  const arrivedAt = stamp > lapsesAt || stamp < seenAt ? stamp : seenAt;
  return { ...arrival, arrivedAt, sight: { seenAt, lapsesAt, evidence } };
}
