import { Injectable } from '@nestjs/common';
import { Chains } from '#contexts/networks/contract/chains.js';
import { Clock } from '#shared/kernel/clock.js';
import type { PaymentRequestId } from '#shared/kernel/ids.js';
import type { ChainTransfer } from '#contexts/networks/contract/chain-reader.js';
import {
  smallestPaymentFinality,
  confirmationRequirementFor,
} from '#contexts/networks/contract/finality-depth.js';
import { NetworkCatalogue, type Network } from '#contexts/networks/contract/network-catalogue.js';
import type { IncomingTransfer, RecordedTransfer, FirstSeenTimes } from '../../contract/incoming-transfer.js';
import {
  PendingTransferRecords,
  type RequestDeadlineAndAmounts,
} from '../../contract/pending-transfer-records.js';
import { inheritFirstSeen, findReplacedTransfers, computeFirstSeenTimes } from '../pending/first-seen.js';
import { transferKey, type TransfersByRequest } from '../transfers-by-request.js';

export type TransferFromBlock = IncomingTransfer & Pick<ChainTransfer, 'stampedAt' | 'evidence'>;

type TermsByRequest = ReadonlyMap<PaymentRequestId, RequestDeadlineAndAmounts>;

@Injectable()
export class EnrichIncomingTransfers {
  constructor(
    private readonly catalogue: NetworkCatalogue,
    private readonly seen: PendingTransferRecords,
    private readonly chains: Chains,
    private readonly clock: Clock,
  ) {}

  async enrich(name: string, arrivals: TransfersByRequest<TransferFromBlock>): Promise<TransfersByRequest> {
    const network = this.catalogue.network(name)!;
    const followsPending = network.pendingGraceSeconds !== undefined;
    const dependsOnAmount = this.catalogue.assets().some((asset) => asset.network === name && asset.depths);
    if (arrivals.size === 0 || !(followsPending || dependsOnAmount)) return arrivals;
    const terms = await this.seen.findRequestTerms([...arrivals.keys()]);
    const confirmed = [...arrivals].map(
      ([id, transfers]) =>
        [
          id,
          transfers.map((each) => ({ ...each, ...this.computeRequiredConfirmations(each, terms.get(id)) })),
        ] as const,
    );
    return followsPending ? this.addFirstSight(network, new Map(confirmed), terms) : new Map(confirmed);
  }

  /**
   * Uses the greater of the transfer and the requested amount, so that splitting a payment does not make it final
   * sooner.
   */
  computeRequiredConfirmations(
    {
      network: name,
      uniqueAssetId,
      amount,
      spendableAfter = 0,
    }: Pick<TransferFromBlock, 'network' | 'uniqueAssetId' | 'amount' | 'spendableAfter'>,
    terms?: RequestDeadlineAndAmounts,
  ) {
    const network = this.catalogue.network(name)!;
    const asset = this.catalogue.asset(uniqueAssetId) ?? {};
    const { amount: requested, rate } = terms?.requested.get(uniqueAssetId) ?? { amount: 0n };
    const greater = amount > requested ? amount : requested;
    const { confirmations, tag } = confirmationRequirementFor(network, asset, greater, rate);
    const required = Math.max(confirmations, spendableAfter);
    if (tag !== undefined) return { requiredConfirmations: required, requiredTag: tag };
    const accepted = smallestPaymentFinality(network);
    const ofNetwork = accepted.kind === 'confirmations' ? accepted.confirmations : confirmations;
    const extraConfirmations = Math.max(0, required - ofNetwork);
    return { requiredConfirmations: required, extraConfirmations, requiredTag: null };
  }

  /**
   * Adds the first sight of each transfer: the recorded one, that of a replaced transaction, or the block
   * timestamp.
   */
  private async addFirstSight(
    { network, pendingGraceSeconds }: Network,
    arrivals: TransfersByRequest<TransferFromBlock>,
    terms: TermsByRequest,
  ): Promise<TransfersByRequest> {
    const transfers = [...arrivals.values()].flat();
    const hashes = transfers.flatMap(({ transactionHash }) => transactionHash ?? []);
    const conflicting = transfers.flatMap(({ evidence = {} }) =>
      this.chains.of(network).pending!.conflictingEvidenceParts(evidence),
    );
    const known = await this.seen.knownTransfers(network, [...new Set(hashes)], conflicting);
    const now = await this.clock.now();
    const sights = new Map(known.map(({ transfer }) => [transferKey(transfer), transfer.sight]));
    const canonical = Map.groupBy(
      known.filter((each) => each.canonical),
      ({ paymentRequestId }) => paymentRequestId,
    );
    const lists = [...arrivals].map(([id, list]) => {
      const recorded = (canonical.get(id) ?? []).map(({ transfer }) => transfer);
      const transactions = Map.groupBy(list, ({ transactionHash }) => transactionHash);
      const completed = [...transactions.values()].flatMap((outputs) => {
        const inherited = this.findInheritedSight(outputs, recorded);
        return outputs.map((output) => {
          const minedAt = output.stampedAt ?? output.blockTime;
          const unseen = computeFirstSeenTimes(
            minedAt < now ? minedAt : now,
            terms.get(id),
            pendingGraceSeconds!,
          );
          return toMinedTransfer(output, minedAt, sights.get(transferKey(output)) ?? inherited ?? unseen);
        });
      });
      return [id, completed] as const;
    });
    return new Map(lists);
  }

  private findInheritedSight(
    outputs: readonly TransferFromBlock[],
    recorded: readonly RecordedTransfer[],
  ): FirstSeenTimes | undefined {
    const replacing = outputs.map(({ evidence = {}, ...output }) => ({ ...output, sight: { evidence } }));
    const replaced = findReplacedTransfers(replacing, recorded, this.chains.of(outputs[0]!.network).pending!);
    return replaced.length === 0 ? undefined : inheritFirstSeen(replacing, replaced);
  }
}

/**
 * A transfer mined after `lapsesAt` counts as received when it was mined, because it was no longer treated as
 * pending.
 */
function toMinedTransfer(
  { stampedAt: _, evidence = {}, ...transfer }: TransferFromBlock,
  minedAt: Date,
  { seenAt, lapsesAt }: FirstSeenTimes,
): IncomingTransfer {
  const arrivedAt = minedAt > lapsesAt || minedAt < seenAt ? minedAt : seenAt;
  return { ...transfer, arrivedAt, sight: { seenAt, lapsesAt, evidence } };
}
