import type { Fees } from '../../domain/outbound/fees.js';
import type { NonceUse } from '../../domain/outbound/fate-on-chain.js';
import type { AccountState } from '../../domain/outbound/gas-key.js';
import type { AccountedNonces } from '../../domain/outbound/nonce-gap.js';
import { isWithNodes } from '../../domain/outbound/broadcast-response.js';
import type { BroadcastOutcome, OutboundChain, SignedTransaction } from './outbound-chain.js';
import type {
  MinedAttempt,
  PlannedCall,
  OutboundTransaction,
  OutboundState,
} from '../../domain/outbound/outbound-transaction.js';

/** Signed bytes of an outbound transaction: stored before they are sent to any endpoint, never changed. */
export interface OutboundAttempt extends SignedTransaction {
  /** Counted from 1. */
  readonly number: number;
  readonly fees: Fees;
  /** The newest block of the network when it was signed; null where it was found on the chain. */
  readonly head: number | null;
  /** True where it uses the nonce up in place of the call. */
  readonly cancels: boolean;
  readonly at: Date;
}

export interface SendingDraft extends Pick<
  OutboundTransaction,
  'id' | 'network' | 'sender' | 'key' | 'feeCeiling' | 'purpose'
> {
  readonly call: PlannedCall;
}

export interface SendingStep {
  readonly state: OutboundState;
  /** Null where it is in no block any more. */
  readonly mined?: MinedAttempt | null;
  readonly response?: string;
  /** The transaction that makes it foreign. */
  readonly usedBy?: string;
}

/** A transaction on the chain that no sending accounts for, with the order that it carries out. */
export interface LostSending
  extends NonceUse, Pick<OutboundTransaction, 'id' | 'network' | 'sender' | 'key' | 'purpose' | 'nonce'> {}

/** The calls that the service's keys send. */
export abstract class OutboundTransactions {
  abstract find(id: string): Promise<OutboundTransaction | null>;
  /** The one that a nonce of a key was reserved for. */
  abstract at(network: string, sender: string, nonce: number): Promise<OutboundTransaction | null>;
  /**
   * Reserves a nonce for the draft, under a lock of network and sender. A draft whose id is stored already is answered with
   * what is stored. Calls listeners of `onReserved` after the commit.
   * @param account as the nodes have it
   * @param alongside as `SendingOrder` has it; not called where the draft is stored already
   * @throws state_conflict where a deployment by this key is under way, and the draft is another one; where the account has
   * sent what is not stored
   */
  abstract reserve(
    draft: SendingDraft,
    account: Pick<AccountState, 'latestCount' | 'mostCount'>,
    alongside?: () => Promise<void>,
  ): Promise<OutboundTransaction>;
  /**
   * Ends a reserved sending as foreign, under the lock of network and sender; its nonce is accounted for no more, and the next one
   * takes it.
   * @param alongside as `Sender.release` has it
   * @returns null, and changes nothing, where it is reserved no more, or a later nonce of the key is accounted for
   */
  abstract release<T>(
    sending: Pick<OutboundTransaction, 'id' | 'network' | 'sender'>,
    alongside: () => Promise<T>,
  ): Promise<T | null>;
  abstract accounted(network: string, sender: string): Promise<AccountedNonces>;
  /**
   * Stores it as broadcast, with its only attempt, under the lock of network and sender; from then on it is followed as any. One
   * of a kind that the service never signs is stored as foreign, and holds the key no more.
   * @returns false, and stores nothing, where an outbound transaction that is not foreign, or an adopted one, has its nonce
   */
  abstract adopt(lost: LostSending): Promise<boolean>;
  /** Not finished, in the order of sender and nonce. */
  abstract unfinished(network: string): Promise<OutboundTransaction[]>;
  /** The most that the unfinished outbound transactions of a key may still cost: gas by the highest fee offered, and value. */
  abstract committed(network: string, sender: string): Promise<bigint>;
  /** In the order of their making. */
  abstract attempts(id: string): Promise<OutboundAttempt[]>;
  /** The mined attempts of the finished outbound transactions with these nonces, `from` inclusive, `below` exclusive, in their order. */
  abstract minedAttempts(
    network: string,
    sender: string,
    from: number,
    below: number,
  ): Promise<readonly SignedTransaction[]>;
  /**
   * Stores the next attempt together with the state `signed`.
   * @returns false, and stores nothing, where the outbound transaction is not as it was read any more
   */
  abstract attempt(
    sending: OutboundTransaction,
    attempt: Omit<OutboundAttempt, 'number' | 'at'>,
  ): Promise<boolean>;
  /** @returns false, and changes nothing, where the outbound transaction is not as it was read any more */
  abstract step(sending: OutboundTransaction, step: SendingStep): Promise<boolean>;
  /** @param listener called with the network after each commit of this process that reserved an outbound transaction there */
  abstract onReserved(listener: (network: string) => void): void;
}

/** Sends the last attempt, and where no endpoint takes it, the ones before it: a pool may have forgotten them. */
export async function broadcastAttempts(
  chain: OutboundChain,
  network: string,
  attempts: readonly OutboundAttempt[],
): Promise<BroadcastOutcome> {
  const [last, ...earlier] = attempts.toReversed() as [OutboundAttempt, ...OutboundAttempt[]];
  const outcome = await chain.broadcast(network, last);
  if (isWithNodes(outcome.response) || outcome.response === 'unreachable') return outcome;
  for (const attempt of earlier) {
    const { response, responses } = await chain.broadcast(network, attempt);
    if (isWithNodes(response))
      return {
        response,
        responses: `${outcome.responses}; attempt ${attempt.number} again: ${responses}`,
      };
  }
  return outcome;
}
