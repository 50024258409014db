import { Injectable } from '@nestjs/common';
import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import { Sender, type SendingFate, type SendingOrder } from '../../contract/sender.js';
import { addressForPeople, canonicalAddress } from '../../contract/address-spelling.js';
import { firstFees, refusalOfGas, refusalOfPrice, refusalToReserve } from '../../domain/outbound/fees.js';
import { type AccountState, refusalOfAccount, refusalOfBalance } from '../../domain/outbound/gas-key.js';
import type { PlannedCall, OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import { ProveUse } from './prove-use.js';
import { SenderHolds } from './sender-holds.js';
import { OutboundChain } from './outbound-chain.js';
import { OutboundTransactions } from './outbound-transactions.js';
import { SenderKeys } from './sender-keys.js';

@Injectable()
export class SendCall extends Sender {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly keys: SenderKeys,
    private readonly holds: SenderHolds,
    private readonly proveUse: ProveUse,
  ) {
    super();
  }

  addressOf(network: string, key: string): string {
    return this.keys.named(network, key).address;
  }

  async send(order: SendingOrder): Promise<SendingFate> {
    const { id, network, key, purpose } = order;
    const call = { ...order.call, to: canonicalAddress(order.call.to), data: order.call.data.toLowerCase() };
    const sender = this.addressOf(network, key);
    const ordered = { network, sender, key, purpose, call };
    await this.proveUse.prove({ id, ...ordered });
    const stored = await this.sendings.find(id);
    if (stored !== null) return fateOf(isSameCall(stored, ordered));
    const feeCeiling = smaller(order.feeCeiling, this.chain.feeLimits(network).ceiling);
    const reservationCeiling = order.reservationCeiling && smaller(order.reservationCeiling, feeCeiling);
    const ceilings = { feeCeiling, reservationCeiling };
    const account = await this.provenAccount(network, sender, call, ceilings);
    const draft = { ...ordered, id, feeCeiling };
    return fateOf(isSameCall(await this.sendings.reserve(draft, account, order.alongside), ordered));
  }

  holdOf(network: string, key: string, address: string): Promise<DomainError | null> {
    return this.holds.holdOf({ network, key, address: canonicalAddress(address) });
  }

  async release<T>(id: string, alongside: () => Promise<T>): Promise<T | null> {
    const sending = await this.sendings.find(id);
    if (sending === null) return null;
    // After a restore of the database, a transaction that is missing there may already have executed this call.
    const { network, key, sender: address } = sending;
    const hold = await this.holds.holdOf({ network, key, address });
    if (hold !== null) throw hold;
    return this.sendings.release(sending, alongside);
  }

  async fate(id: string): Promise<SendingFate | null> {
    const sending = await this.sendings.find(id);
    return sending === null ? null : fateOf(sending);
  }

  private async provenAccount(
    network: string,
    sender: string,
    call: PlannedCall,
    {
      feeCeiling: ceiling,
      reservationCeiling,
    }: Pick<SendingOrder, 'reservationCeiling'> & { feeCeiling: bigint },
  ): Promise<AccountState> {
    const [account, market, blockGas, unfinished] = await Promise.all([
      this.chain.account(network, sender),
      this.chain.market(network),
      this.chain.blockGas(network),
      this.sendings.committed(network, sender),
    ]);
    const limits = { ...this.chain.feeLimits(network), ceiling };
    const fees = firstFees(market, limits);
    const chainId = this.chain.chainId(network);
    const dataFee = await this.chain.dataFee(network, { chainId, nonce: account.latestCount, call, fees });
    const need = { call: call.gasLimit * fees.maxFee + call.value + dataFee, unfinished };
    const address = addressForPeople(sender);
    const refusal =
      refusalOfAccount(address, account) ??
      refusalOfGas(call.gasLimit, blockGas) ??
      refusalOfPrice(market, limits) ??
      (reservationCeiling === undefined
        ? null
        : refusalToReserve(market, { ...limits, ceiling: reservationCeiling })) ??
      refusalOfBalance(address, account, need);
    if (refusal !== null) throw refusal;
    return account;
  }
}

type OrderedCall = Pick<OutboundTransaction, 'network' | 'sender' | 'key' | 'purpose' | 'call'>;

function isSameCall(sending: OutboundTransaction, ordered: OrderedCall): OutboundTransaction {
  const parts = ({ network, sender, purpose, call }: OrderedCall) =>
    [network, sender, purpose, call.to, call.data, call.value, call.gasLimit].join(' ');
  if (parts(sending) === parts(ordered)) return sending;
  throw stateConflict(
    `The outbound transaction ${sending.id} has another call, key, network or purpose. It continues unchanged, and this call is not sent.`,
  );
}

function smaller(ceiling: bigint | undefined, most: bigint): bigint {
  return ceiling !== undefined && ceiling < most ? ceiling : most;
}

function fateOf({ state, nonce, mined, response }: OutboundTransaction): SendingFate {
  return {
    state,
    nonce,
    transactionHash: mined?.hash ?? null,
    blockNumber: mined?.blockNumber ?? null,
    succeeded: mined?.succeeded ?? null,
    gasCost: mined?.gasCost ?? null,
    response,
  };
}
