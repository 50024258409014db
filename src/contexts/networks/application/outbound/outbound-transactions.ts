import type { GasFees } from '../../domain/outbound/gas-fees.js';
import type { NonceUse } from '../../domain/outbound/on-chain-status.js';
import type { SenderAccountState } from '../../domain/outbound/gas-key.js';
import type { RecordedNonces } from '../../domain/outbound/nonce-gap.js';
import { isKnownToNodes } from '../../domain/outbound/broadcast-response.js';
import type { BroadcastOutcome, OutboundChain, SignedTransaction } from './outbound-chain.js';
import type {
  MinedAttempt,
  PlannedCall,
  OutboundTransaction,
  OutboundState,
} from '../../domain/outbound/outbound-transaction.js';

/** The signed bytes are stored before they are broadcast, and never changed. */
export interface OutboundAttempt extends SignedTransaction {
  /** Number of the attempt, starting at 1. */
  readonly number: number;
  readonly fees: GasFees;
  /**
   * Newest block when the attempt was signed. A fee increase waits some blocks from there. Null for an attempt that was
   * recovered from the chain.
   */
  readonly head: number | null;
  /** True if the attempt uses the nonce without executing the call. */
  readonly cancels: boolean;
  readonly at: Date;
}

export interface OutboundTransactionDraft extends Pick<
  OutboundTransaction,
  'id' | 'network' | 'sender' | 'key' | 'feeCeiling' | 'purpose'
> {
  readonly call: PlannedCall;
}

export interface OutboundStateChange {
  readonly state: OutboundState;
  readonly mined?: MinedAttempt | null;
  readonly response?: string;
  /** The other transaction that used the nonce, for the state `foreign`. */
  readonly usedBy?: string;
}

export interface UnrecordedOutboundTransaction
  extends NonceUse, Pick<OutboundTransaction, 'id' | 'network' | 'sender' | 'key' | 'purpose' | 'nonce'> {}

export abstract class OutboundTransactions {
  abstract find(id: string): Promise<OutboundTransaction | null>;
  abstract findByNonce(network: string, sender: string, nonce: number): Promise<OutboundTransaction | null>;
  /**
   * Holds a lock on network and sender. Returns the stored outbound transaction if the draft's id exists.
   * @throws DomainError `state_conflict` if the account has sent transactions that are not stored, or another
   * deployment by the key is in progress
   */
  abstract reserve(
    draft: OutboundTransactionDraft,
    account: Pick<SenderAccountState, 'latestCount' | 'mostCount'>,
    alongside?: () => Promise<void>,
  ): Promise<OutboundTransaction>;
  /**
   * Holds the lock on network and sender.
   * @returns null without any change if it is no longer reserved, or if a later nonce is assigned
   */
  abstract release<T>(
    sending: Pick<OutboundTransaction, 'id' | 'network' | 'sender'>,
    alongside: () => Promise<T>,
  ): Promise<T | null>;
  abstract recordedNonces(network: string, sender: string): Promise<RecordedNonces>;
  /**
   * Holds the lock on network and sender.
   * @returns false without any change if another outbound transaction already has the nonce
   */
  abstract adoptUnrecorded(lost: UnrecordedOutboundTransaction): Promise<boolean>;
  /** Returns unfinished outbound transactions, ordered by sender and nonce. */
  abstract unfinished(network: string): Promise<OutboundTransaction[]>;
  /**
   * Returns the maximum remaining cost of a key's unfinished outbound transactions: gas at the highest fee offered, and
   * value.
   */
  abstract committedCost(network: string, sender: string): Promise<bigint>;
  abstract attempts(id: string): Promise<OutboundAttempt[]>;
  /**
   * Returns the mined attempts of finished outbound transactions, from nonce `from` (inclusive) to `below` (exclusive),
   * in nonce order.
   */
  abstract minedAttempts(
    network: string,
    sender: string,
    from: number,
    below: number,
  ): Promise<readonly SignedTransaction[]>;
  abstract addAttempt(
    sending: OutboundTransaction,
    attempt: Omit<OutboundAttempt, 'number' | 'at'>,
  ): Promise<boolean>;
  /**
   * @returns false without any change if the outbound transaction has changed since it was read
   */
  abstract changeState(sending: OutboundTransaction, step: OutboundStateChange): Promise<boolean>;
  /** @param listener called with the network after each commit of this process that reserved a nonce there */
  abstract onReserved(listener: (network: string) => void): void;
}

/** If no endpoint accepts the last attempt, broadcasts the earlier ones too: mempools may have dropped them. */
export async function broadcastAttempts(
  chain: OutboundChain,
  network: string,
  attempts: readonly OutboundAttempt[],
): Promise<BroadcastOutcome> {
  const [last, ...earlier] = attempts.toReversed() as [OutboundAttempt, ...OutboundAttempt[]];
  const outcome = await chain.broadcast(network, last);
  if (isKnownToNodes(outcome.response) || outcome.response === 'unreachable') return outcome;
  for (const attempt of earlier) {
    const { response, responses } = await chain.broadcast(network, attempt);
    if (isKnownToNodes(response))
      return {
        response,
        responses: `${outcome.responses}; attempt ${attempt.number} again: ${responses}`,
      };
  }
  return outcome;
}
