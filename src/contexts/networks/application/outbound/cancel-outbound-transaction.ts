import { Injectable } from '@nestjs/common';
import { notFound, stateConflict } from '#shared/kernel/domain-error.js';
import { isUuid } from '#shared/kernel/ids.js';
import { toDisplayAddress, canonicalAddress } from '../../contract/address-spelling.js';
import { initialGasFees, gasPriceRefusal, replacementGasFees } from '../../domain/outbound/gas-fees.js';
import { senderBalanceRefusal } from '../../domain/outbound/gas-key.js';
import {
  isFinishedOutboundState,
  type OutboundTransaction,
} from '../../domain/outbound/outbound-transaction.js';
import { AdvanceOutboundTransaction } from './advance-outbound-transaction.js';
import { SenderKeys } from './sender-keys.js';
import { OutboundChain } from './outbound-chain.js';
import { type OutboundAttempt, OutboundTransactions } from './outbound-transactions.js';

export interface CancelOutboundTransactionInput {
  readonly network: string;
  /** Id of an outbound transaction, or the address and nonce of its sender: `0x…:5`. */
  readonly sending: string;
  /** Replaces the fee ceiling of the outbound transaction. */
  readonly feeCeiling: bigint | null;
}

/**
 * Stores an additional attempt that moves nothing and offers a higher fee. The attempt that is mined decides the
 * outcome.
 */
@Injectable()
export class CancelOutboundTransaction {
  constructor(
    private readonly sendings: OutboundTransactions,
    private readonly chain: OutboundChain,
    private readonly keys: SenderKeys,
    private readonly advanceSending: AdvanceOutboundTransaction,
  ) {}

  /**
   * @throws DomainError `not_found`; `state_conflict` if it can no longer be cancelled
   */
  async find({
    network,
    sending: named,
  }: Omit<CancelOutboundTransactionInput, 'feeCeiling'>): Promise<OutboundTransaction> {
    const sending = await this.named(network, named);
    if (sending?.network !== network) throw notFound('sending');
    const { state } = sending;
    if (isFinishedOutboundState(state))
      throw stateConflict(`The outbound transaction has already ended: it is ${state}.`);
    return sending;
  }

  /** @returns null if it ended without another transaction */
  async cancel(input: CancelOutboundTransactionInput): Promise<OutboundAttempt | null> {
    const sending = await this.find(input);
    const { latestCount } = await this.chain.senderAccountState(sending.network, sending.sender);
    if (latestCount === null) return this.cancelExpired(sending);
    if (this.keys.keyFor(sending) === undefined) throw this.keyMissing(sending);
    const last = (await this.sendings.attempts(sending.id)).at(-1) ?? null;
    const offer = await this.payableFees(sending, last, input.feeCeiling);
    await this.advanceSending.cancel(sending, offer);
    const stored = (await this.sendings.attempts(sending.id)).at(-1);
    if (stored?.cancels === true && stored.number > sending.attempts) return stored;
    throw stateConflict('The outbound transaction changed while the command ran. Run the command again.');
  }

  /** On a chain without nonces, no transaction replaces another one. */
  private async cancelExpired(sending: OutboundTransaction): Promise<null> {
    if (!(await this.advanceSending.cancelUnexecuted(sending)))
      throw stateConflict(
        'A transaction that was signed for it can still be included. Stop the workers, wait until the transaction has ' +
          'expired (about 3 minutes), and run the command again.',
      );
    return null;
  }

  private async named(network: string, named: string): Promise<OutboundTransaction | null> {
    if (isUuid(named)) return this.sendings.find(named.toLowerCase());
    const [, address, nonce] = /^(0x[0-9a-fA-F]{40}):(\d{1,15})$/.exec(named) ?? [];
    if (address === undefined) return null;
    return this.sendings.findByNonce(network, canonicalAddress(address), Number(nonce));
  }

  private async payableFees(
    { network, sender, nonce, ...sending }: OutboundTransaction,
    last: OutboundAttempt | null,
    ceiling: bigint | null,
  ): Promise<Pick<OutboundAttempt, 'fees' | 'head'>> {
    const [account, market, gas] = await Promise.all([
      this.chain.senderAccountState(network, sender),
      this.chain.gasFeeMarket(network),
      this.chain.selfTransferGas(network, sender),
    ]);
    if (account.latestCount !== null && account.latestCount > nonce)
      throw stateConflict(
        `The nonce ${nonce} has already been used. Wait until a final block shows which transaction used it.`,
      );
    const limits = { ...this.chain.feeLimits(network), ceiling: ceiling ?? sending.feeCeiling };
    const fees =
      last === null ? initialGasFees(market, limits) : replacementGasFees(last.fees, market, limits);
    const tooDear = gasPriceRefusal(market, limits)?.message;
    if (fees === null || tooDear !== undefined)
      throw stateConflict(
        `${tooDear ?? `The cancellation must offer more than ${last!.fees.maxFee} wei per unit of gas, but the ceiling is ${limits.ceiling} wei.`} ` +
          'Pass a higher --fee-ceiling, in gwei.',
      );
    const need = { call: gas * fees.maxFee, unfinished: 0n };
    const refusal = senderBalanceRefusal(toDisplayAddress(sender), account, need);
    if (refusal !== null) throw refusal;
    return { fees, head: market.head };
  }

  private keyMissing({ network, key, sender }: OutboundTransaction): Error {
    const address = toDisplayAddress(sender);
    // Throws if the process holds no key with this name.
    if (key !== null) this.keys.requireKey(network, key);
    return stateConflict(
      `This process does not have the key of ${address}. Run the command with the same key as the worker.`,
    );
  }
}
