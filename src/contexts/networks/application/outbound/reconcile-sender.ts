import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { Chains } from '../../contract/chains.js';
import { isSameEffect, type NonceUse, type SignedCall } from '../../domain/outbound/on-chain-status.js';
import { keyUseRefusal } from '../../domain/outbound/key-use.js';
import { nonceGap, type NonceGap, type SenderAccount } from '../../domain/outbound/nonce-gap.js';
import type { OutboundTransaction, OutboundPurpose } from '../../domain/outbound/outbound-transaction.js';
import { OutboundChain } from './outbound-chain.js';
import { OutboundTransactions } from './outbound-transactions.js';

/** A transaction on the chain that matches no stored outbound transaction of its account. */
export interface UnrecordedCall extends SenderAccount {
  readonly key: string;
  readonly nonce: number;
  readonly hash: string;
  readonly call: SignedCall['call'];
}

/** The module that placed the order uses the id to query the outcome. */
export interface UnrecordedCallOrder {
  readonly id: string;
  readonly purpose: OutboundPurpose;
}

/**
 * - `unknown`: not an order, and not accepted by the operator
 * - `not_final`: not all endpoints show a transaction in final blocks
 * - `no_call`: a kind of transaction that the service never signs
 * - `waits`: comes after a nonce with another outcome than `adopted`
 * - `reserved`: belongs to an outbound transaction that was never signed and ends when the transaction is final
 * - `under_way`: not an order, but an unfinished outbound transaction has the same call
 */
export type NonceReconciliationOutcome =
  'adopted' | 'unknown' | 'not_final' | 'no_call' | 'waits' | 'reserved' | 'under_way';

export interface NonceReconciliation {
  readonly nonce: number;
  readonly outcome: NonceReconciliationOutcome;
  readonly use: NonceUse | null;
  readonly sending: Pick<OutboundTransaction, 'id' | 'purpose'> | null;
}

export interface ReconcileSenderInput {
  readonly account: SenderAccount & { readonly key: string };
  /** Hashes of transactions that no module of the service requested and that the operator accepts. */
  readonly accepted: readonly string[];
  /** Runs in the unit of work that stores the outbound transaction. */
  readonly orderOf: (lost: UnrecordedCall) => Promise<UnrecordedCallOrder | null>;
}

/** Restores the stored nonces of an account from its transactions in final blocks. */
@Injectable()
export class ReconcileSender {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly unitOfWork: UnitOfWork,
    private readonly chains: Chains,
  ) {}

  /** Stops at the first nonce without an explanation, because storing a later nonce would hide it. */
  async reconcile(order: ReconcileSenderInput): Promise<NonceReconciliation[]> {
    const { network, key, address } = order.account;
    const { mostCount } = await this.chain.senderAccountState(network, address);
    const gap = nonceGap(key, mostCount, await this.sendings.recordedNonces(network, address));
    const reconciled: NonceReconciliation[] = [];
    for (const [nonce, hash] of gap === null ? [] : noncesOf(gap)) {
      const use = await this.chain.nonceUse(network, address, nonce, hash);
      const isBehind = reconciled.some(({ outcome }) => outcome !== 'adopted');
      // Later nonces cannot be in older blocks than this one.
      if (use === null && isBehind) break;
      reconciled.push(
        isBehind ? { nonce, outcome: 'waits', use, sending: null } : await this.take(order, nonce, use),
      );
    }
    return reconciled;
  }

  private async take(
    order: ReconcileSenderInput,
    nonce: number,
    use: NonceUse | null,
  ): Promise<NonceReconciliation> {
    const { network, key, address } = order.account;
    const reserved = await this.sendings.findByNonce(network, address, nonce);
    if (reserved?.state === 'reserved') return { nonce, outcome: 'reserved', use, sending: reserved };
    if (use === null) return { nonce, outcome: 'not_final', use, sending: null };
    const { hash, signed } = use;
    const lost: UnrecordedCall | null = signed && { network, key, address, nonce, hash, call: signed.call };
    return this.unitOfWork.run(async (): Promise<NonceReconciliation> => {
      const found = lost && ((await order.orderOf(lost)) ?? this.ofService(lost));
      const same = lost && found === null ? await this.underWay(lost) : undefined;
      if (same !== undefined) return { nonce, outcome: 'under_way', use, sending: same };
      if (found === null && !order.accepted.includes(hash))
        return { nonce, outcome: lost === null ? 'no_call' : 'unknown', use, sending: null };
      const { id, purpose } = found ?? { id: newId<string>(), purpose: 'unknown' as const };
      if (await this.sendings.adoptUnrecorded({ id, network, sender: address, key, purpose, nonce, ...use }))
        return { nonce, outcome: 'adopted', use, sending: { id, purpose } };
      throw new Error(
        `The nonce ${nonce} of ${address} was stored while the command ran. Run the command again.`,
      );
    });
  }

  /**
   * Finds an unfinished outbound transaction that would repeat a payment that the lost transaction may already have
   * made.
   */
  private async underWay({
    network,
    address,
    call,
  }: UnrecordedCall): Promise<OutboundTransaction | undefined> {
    const all = await this.sendings.unfinished(network);
    return all.find(
      (each) => each.sender === address && each.purpose !== 'unknown' && isSameEffect(each.call, call),
    );
  }

  /** A call of a gas key without an order moves money only under immutable terms or as the money's owner signed. */
  private ofService({ network, key, call }: UnrecordedCall): UnrecordedCallOrder | null {
    const purposes = ['settlement', 'factory_deployment', 'authorized_transfer'] as const;
    const purpose = purposes.find(
      (each) =>
        keyUseRefusal({ key, purpose: each, ...call }, this.chain.callableContracts(network, each)) ===
          null &&
        (each !== 'authorized_transfer' ||
          this.chains.require(network, 'authorizedTransfers').decode(call) !== null),
    );
    return purpose === undefined ? null : { id: newId<string>(), purpose };
  }
}

function* noncesOf({ foreign, unsigned, from, below }: NonceGap): Generator<[number, string | undefined]> {
  const stored = [...foreign, ...unsigned.map((nonce): [number, undefined] => [nonce, undefined])];
  yield* stored.sort(([one], [other]) => one - other);
  for (let nonce = from; nonce < below; nonce += 1) yield [nonce, undefined];
}
