import { Injectable } from '@nestjs/common';
import { newId } from '#shared/kernel/ids.js';
import { UnitOfWork } from '#shared/kernel/unit-of-work.js';
import { AuthorizedTransfers } from '../../contract/authorized-transfers.js';
import { isSameEffect, type NonceUse, type SignedCall } from '../../domain/outbound/fate-on-chain.js';
import { refusalOfUse } from '../../domain/outbound/key-use.js';
import { nonceGap, type NonceGap, type SendingAccount } from '../../domain/outbound/nonce-gap.js';
import type { OutboundTransaction, OutboundPurpose } from '../../domain/outbound/outbound-transaction.js';
import { OutboundChain } from './outbound-chain.js';
import { OutboundTransactions } from './outbound-transactions.js';

/** A transaction of an account that no sending accounts for. */
export interface LostCall extends SendingAccount {
  readonly key: string;
  readonly nonce: number;
  readonly hash: string;
  readonly call: SignedCall['call'];
}

/** The order that such a transaction carries out, under the id by which its sender asks what has become of it. */
export interface LostOrder {
  readonly id: string;
  readonly purpose: OutboundPurpose;
}

/**
 * `adopted`: an outbound transaction of its own, which is followed to its end. `unknown`: nobody's order, and not accepted. `not_final`: no
 * transaction is shown in final blocks by all endpoints. `no_call`: of a kind that the service never signs. `waits`: behind
 * one of these. `reserved`: of an outbound transaction that was never signed, which ends once the transaction is final. `under_way`: nobody's
 * by what is stored, while an outbound transaction with the same call has not ended.
 */
export type Reconciliation =
  'adopted' | 'unknown' | 'not_final' | 'no_call' | 'waits' | 'reserved' | 'under_way';

export interface ReconciledNonce {
  readonly nonce: number;
  readonly outcome: Reconciliation;
  /** Null where none is known. */
  readonly use: NonceUse | null;
  /**
   * For an adopted transaction the outbound transaction that follows it; for one that is reserved or under way the one that has not
   * ended.
   */
  readonly sending: Pick<OutboundTransaction, 'id' | 'purpose'> | null;
}

export interface ReconcileOrder {
  readonly account: SendingAccount & { readonly key: string };
  /** Hashes of transactions that are nobody's order. */
  readonly accepted: readonly string[];
  /** Stores with the caller that the order is sent; inside the unit of work that stores the outbound transaction. Null: nobody's. */
  readonly orderOf: (lost: LostCall) => Promise<LostOrder | null>;
}

/** Makes the stored nonces of an account whole again, from its transactions in final blocks. */
@Injectable()
export class ReconcileSender {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly unitOfWork: UnitOfWork,
    private readonly authorized: AuthorizedTransfers,
  ) {}

  /** In the order of the nonces, up to the first that is not accounted for: what is above it would hide it. @throws ChainUnavailable */
  async reconcile(order: ReconcileOrder): Promise<ReconciledNonce[]> {
    const { network, key, address } = order.account;
    const { mostCount } = await this.chain.account(network, address);
    const gap = nonceGap(key, mostCount, await this.sendings.accounted(network, address));
    const reconciled: ReconciledNonce[] = [];
    for (const [nonce, hash] of gap === null ? [] : noncesOf(gap)) {
      const use = await this.chain.nonceUse(network, address, nonce, hash);
      const isBehind = reconciled.some(({ outcome }) => outcome !== 'adopted');
      // Later nonces are in no older block.
      if (use === null && isBehind) break;
      reconciled.push(
        isBehind ? { nonce, outcome: 'waits', use, sending: null } : await this.take(order, nonce, use),
      );
    }
    return reconciled;
  }

  private async take(order: ReconcileOrder, nonce: number, use: NonceUse | null): Promise<ReconciledNonce> {
    const { network, key, address } = order.account;
    const reserved = await this.sendings.at(network, address, nonce);
    if (reserved?.state === 'reserved') return { nonce, outcome: 'reserved', use, sending: reserved };
    if (use === null) return { nonce, outcome: 'not_final', use, sending: null };
    const { hash, signed } = use;
    const lost: LostCall | null = signed && { network, key, address, nonce, hash, call: signed.call };
    return this.unitOfWork.run(async (): Promise<ReconciledNonce> => {
      const found = lost && ((await order.orderOf(lost)) ?? this.ofService(lost));
      const same = lost && found === null ? await this.underWay(lost) : undefined;
      if (same !== undefined) return { nonce, outcome: 'under_way', use, sending: same };
      if (found === null && !order.accepted.includes(hash))
        return { nonce, outcome: lost === null ? 'no_call' : 'unknown', use, sending: null };
      const { id, purpose } = found ?? { id: newId<string>(), purpose: 'unknown' as const };
      if (await this.sendings.adopt({ id, network, sender: address, key, purpose, nonce, ...use }))
        return { nonce, outcome: 'adopted', use, sending: { id, purpose } };
      throw new Error(
        `The nonce ${nonce} of ${address} was stored while the command ran. Run the command again.`,
      );
    });
  }

  /** The outbound transaction that pays once more what the transaction has paid, if that was its order. */
  private async underWay({ network, address, call }: LostCall): Promise<OutboundTransaction | undefined> {
    const all = await this.sendings.unfinished(network);
    return all.find(
      (each) => each.sender === address && each.purpose !== 'unknown' && isSameEffect(each.call, call),
    );
  }

  /** A call that a gas key may make moves money only by terms that nobody can change, or as its owner signed, whoever ordered it. */
  private ofService({ network, key, call }: LostCall): LostOrder | null {
    const purposes = ['settlement', 'factory_deployment', 'authorized_transfer'] as const;
    const purpose = purposes.find(
      (each) =>
        refusalOfUse({ key, purpose: each, ...call }, this.chain.contracts(network, each)) === null &&
        (each !== 'authorized_transfer' || this.authorized.read(network, call) !== null),
    );
    return purpose === undefined ? null : { id: newId<string>(), purpose };
  }
}

function* noncesOf({ foreign, unsigned, from, below }: NonceGap): Generator<[number, string | undefined]> {
  const stored = [...foreign, ...unsigned.map((nonce): [number, undefined] => [nonce, undefined])];
  yield* stored.sort(([one], [other]) => one - other);
  for (let nonce = from; nonce < below; nonce += 1) yield [nonce, undefined];
}
