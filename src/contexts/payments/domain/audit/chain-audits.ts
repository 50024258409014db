import type { AuditedBlock } from './audited-payments.js';

/** Difference between stored records and the chain. */
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
  /** Number of transfers to compare with receipts; null for all. */
  readonly transfers: number | null;
  /** Seed of the sample. The same seed selects the same transfers. */
  readonly seed: string;
}

/** Stages that need the state of the block come first, because nodes prune old state. */
export type AuditStage = 'addresses' | 'transfers' | 'tokens' | 'custody' | 'ended';

export interface ChainAudit {
  readonly network: string;
  /** Block at which balances are compared. Null if no block is final; then only payment tokens are audited. */
  readonly block: AuditedBlock | null;
  readonly extent: AuditExtent;
  readonly stage: AuditStage;
  /** Last item audited in the stage; an empty string at its start. */
  readonly position: string;
  readonly addresses: number;
  readonly transfers: number;
  readonly tokens: number;
  /** Number of comparisons that found a custody difference. */
  readonly custodyTries: number;
  /** On-chain balances of the addresses, by asset. */
  readonly held: ReadonlyMap<string, bigint>;
  /** Only the first findings. */
  readonly findings: readonly ChainFinding[];
}

export type BegunAudit = ChainAudit & { readonly block: AuditedBlock };

export function chainAuditLease(network: string): string {
  return `chain audit ${network}`;
}

/** Stores the daily audits of the workers. Writes are fenced by the epoch of the network's `chainAuditLease`. */
export abstract class ChainAudits {
  /** Returns the audit in progress, or null. */
  abstract unfinished(network: string): Promise<BegunAudit | null>;
  /** Returns true if no audit started in the last 24 hours. */
  abstract isDue(network: string): Promise<boolean>;
  /** @throws LeaseLost */
  abstract begin(audit: BegunAudit, epoch: bigint): Promise<void>;
  /** Replaces the stored progress of the audit. @throws LeaseLost */
  abstract save(audit: BegunAudit, epoch: bigint): Promise<void>;
}
