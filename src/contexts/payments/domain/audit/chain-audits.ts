import type { AuditedBlock } from './audited-payments.js';

/** A difference between books and chain; `kind` names it for operators. */
export interface ChainFinding {
  readonly kind:
    | 'address-holds-less'
    | 'address-holds-more'
    | 'address-is-not-derived'
    | 'balance-is-unreadable'
    | 'token-is-not-signed'
    | 'transfer-is-not-on-chain'
    | 'custody-is-not-on-chain'
    | 'not-audited';
  readonly network: string;
  readonly about: string;
  readonly says: string;
}

export interface AuditExtent {
  /** How many transfers are compared with receipts; null: all. */
  readonly transfers: number | null;
  /** Draws them: the same ones for the same text. */
  readonly seed: string;
}

/** Stages that need the state of the block come first: nodes forget it. */
export type AuditStage = 'addresses' | 'transfers' | 'tokens' | 'custody' | 'ended';

/** An audit of a network's books as far as it has come. */
export interface ChainAudit {
  readonly network: string;
  /** At which balances are compared; null where nothing is final, and only payment tokens are looked at. */
  readonly block: AuditedBlock | null;
  readonly extent: AuditExtent;
  readonly stage: AuditStage;
  /** The last one of the stage that was audited; '' where it begins. */
  readonly position: string;
  readonly addresses: number;
  readonly transfers: number;
  readonly tokens: number;
  /** How often custody was found to differ. */
  readonly custodyTries: number;
  /** The addresses' balances on the chain, by asset. */
  readonly held: ReadonlyMap<string, bigint>;
  /** The first ones. */
  readonly findings: readonly ChainFinding[];
}

/** An audit that can be stored. */
export type BegunAudit = ChainAudit & { readonly block: AuditedBlock };

export function chainAuditLease(network: string): string {
  return `chain audit ${network}`;
}

/** The audits that workers make once a day. Writes are fenced by the epoch of the network's `chainAuditLease`. */
export abstract class ChainAudits {
  /** The one that has not ended; null where there is none. */
  abstract unfinished(network: string): Promise<BegunAudit | null>;
  /** True where none has begun for a day. */
  abstract isDue(network: string): Promise<boolean>;
  /** @throws LeaseLost */
  abstract begin(audit: BegunAudit, epoch: bigint): Promise<void>;
  /** Replaces what is stored of the unfinished one. @throws LeaseLost */
  abstract save(audit: BegunAudit, epoch: bigint): Promise<void>;
}
