import { Injectable } from '@nestjs/common';
import { type DomainError, stateConflict } from '#shared/kernel/domain-error.js';
import {
  OutboundTransactionSender,
  type OutboundTransactionStatus,
  type OutboundTransactionOrder,
} from '../../contract/outbound-transaction-sender.js';
import { ChainUnavailable } from '../../contract/chain-reader.js';
import { toDisplayAddress, canonicalAddress } from '../../contract/address-spelling.js';
import {
  initialGasFees,
  gasLimitRefusal,
  gasPriceRefusal,
  nonceReservationRefusal,
} from '../../domain/outbound/gas-fees.js';
import {
  type SenderAccountState,
  senderAccountRefusal,
  senderBalanceRefusal,
} from '../../domain/outbound/gas-key.js';
import type { PlannedCall, OutboundTransaction } from '../../domain/outbound/outbound-transaction.js';
import { VerifyCallBeforeSigning } from './verify-call-before-signing.js';
import { SenderHolds } from './sender-holds.js';
import { OutboundChain } from './outbound-chain.js';
import { OutboundTransactions } from './outbound-transactions.js';
import { SenderKeys } from './sender-keys.js';

@Injectable()
export class SendOutboundTransaction extends OutboundTransactionSender {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly keys: SenderKeys,
    private readonly holds: SenderHolds,
    private readonly verifyCallBeforeSigning: VerifyCallBeforeSigning,
  ) {
    super();
  }

  addressOf(network: string, key: string): string {
    this.refuseNetworkWithoutSending(network);
    return this.keys.requireKey(network, key).address;
  }

  /** An address in the spelling of another chain type would be funded, and the funds would be lost. */
  private refuseNetworkWithoutSending(network: string): void {
    try {
      this.chain.chainId(network);
    } catch (error) {
      throw error instanceof ChainUnavailable ? stateConflict(error.message) : error;
    }
  }

  async send(order: OutboundTransactionOrder): Promise<OutboundTransactionStatus> {
    const { id, network, key, purpose } = order;
    const call = { ...order.call, to: canonicalAddress(order.call.to), data: order.call.data.toLowerCase() };
    const sender = this.addressOf(network, key);
    const ordered = { network, sender, key, purpose, call };
    await this.verifyCallBeforeSigning.verify({ id, ...ordered });
    const stored = await this.sendings.find(id);
    if (stored !== null) return fateOf(isSameCall(stored, ordered));
    const feeCeiling = smaller(order.feeCeiling, this.chain.feeLimits(network).ceiling);
    const reservationCeiling = order.reservationCeiling && smaller(order.reservationCeiling, feeCeiling);
    const ceilings = { feeCeiling, reservationCeiling };
    const account = await this.provenAccount(network, sender, call, ceilings);
    const draft = { ...ordered, id, feeCeiling };
    return fateOf(isSameCall(await this.sendings.reserve(draft, account, order.alongside), ordered));
  }

  findHold(network: string, key: string, address: string): Promise<DomainError | null> {
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

  async status(id: string): Promise<OutboundTransactionStatus | null> {
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
    }: Pick<OutboundTransactionOrder, 'reservationCeiling'> & { feeCeiling: bigint },
  ): Promise<SenderAccountState> {
    const [account, market, blockGas, unfinished] = await Promise.all([
      this.chain.senderAccountState(network, sender),
      this.chain.gasFeeMarket(network),
      this.chain.blockGasLimit(network),
      this.sendings.committedCost(network, sender),
    ]);
    const limits = { ...this.chain.feeLimits(network), ceiling };
    const fees = initialGasFees(market, limits);
    const chainId = this.chain.chainId(network);
    const dataFee = await this.chain.dataFee(network, {
      chainId,
      nonce: account.latestCount ?? 0,
      call,
      fees,
    });
    const { prepaidGas = 0n } = account;
    const paidGas = call.gasLimit > prepaidGas ? call.gasLimit - prepaidGas : 0n;
    const need = { call: paidGas * fees.maxFee + call.value + dataFee, unfinished };
    const address = toDisplayAddress(sender);
    const refusal =
      senderAccountRefusal(address, account) ??
      gasLimitRefusal(call.gasLimit, blockGas) ??
      gasPriceRefusal(market, limits) ??
      (reservationCeiling === undefined
        ? null
        : nonceReservationRefusal(market, { ...limits, ceiling: reservationCeiling })) ??
      senderBalanceRefusal(address, account, need);
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

function fateOf({ state, nonce, mined, response }: OutboundTransaction): OutboundTransactionStatus {
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
