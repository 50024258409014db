import { Injectable } from '@nestjs/common';
import { Database } from '#shared/platform/database/database.js';
import { Leases } from '#shared/platform/leases/leases.js';
import type { AuditedBlock } from './chain-audit-queries.js';

export interface ChainAuditFinding {
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
  /** Null for all. */
  readonly transfers: number | null;
  /** The same seed selects the same transfers. */
  readonly seed: string;
}

/** Stages that read on-chain state come first, because nodes prune old state. */
export type AuditStage = 'addresses' | 'transfers' | 'tokens' | 'custody' | 'ended';

export interface ChainAudit {
  readonly network: string;
  /** Null if no block is final; then only payment tokens are audited. */
  readonly block: AuditedBlock | null;
  readonly extent: AuditExtent;
  readonly stage: AuditStage;
  /** Last item audited in the stage; an empty string at its start. */
  readonly position: string;
  readonly addresses: number;
  readonly transfers: number;
  readonly tokens: number;
  readonly custodyTries: number;
  /** On-chain balances of all addresses audited so far, by unique asset id. */
  readonly held: ReadonlyMap<string, bigint>;
  /** The first findings of the audit. Further findings are not stored. */
  readonly findings: readonly ChainAuditFinding[];
}

export type ChainAuditWithBlock = ChainAudit & { readonly block: AuditedBlock };

export function chainAuditLeaseName(network: string): string {
  return `chain audit ${network}`;
}

import { ChainAuditResults, type ChainAuditResult } from '#contexts/payments/contract/chain-audit-results.js';

interface AuditRow {
  number: number;
  hash: string;
  wanted: number | null;
  seed: string;
  stage: AuditStage;
  position: string;
  addresses: number;
  transfers: number;
  tokens: number;
  custodyTries: number;
  held: Record<string, string>;
  findings: ChainAuditFinding[];
}

/** Writes are fenced by the epoch of the network's `chainAuditLeaseName`. */
@Injectable()
export class ChainAudits {
  constructor(
    private readonly database: Database,
    private readonly leases: Leases,
  ) {}

  async findUnfinished(network: string): Promise<ChainAuditWithBlock | null> {
    const [row] = await this.database.query<AuditRow>(
      `SELECT block_number AS number, block_hash AS hash, transfers_wanted AS wanted, seed, stage, position, addresses,
         transfers, tokens, custody_tries, held, findings
       FROM payments.chain_audits WHERE network = $1 AND ended_at IS NULL`,
      [network],
    );
    if (row === undefined) return null;
    const { number, hash, wanted, seed, held, ...progress } = row;
    return {
      network,
      block: { network, number, hash },
      extent: { transfers: wanted, seed },
      ...progress,
      held: new Map(Object.entries(held).map(([asset, amount]) => [asset, BigInt(amount)])),
    };
  }

  async isDue(network: string): Promise<boolean> {
    const begun = await this.database.query(
      `SELECT 1 FROM payments.chain_audits WHERE network = $1 AND began_at > platform.now() - interval '1 day' LIMIT 1`,
      [network],
    );
    return begun.length === 0;
  }

  async begin(audit: ChainAuditWithBlock, epoch: bigint): Promise<void> {
    await this.writeFenced(
      audit.network,
      epoch,
      `INSERT INTO payments.chain_audits (network, began_at, block_number, block_hash, transfers_wanted, seed, stage,
         position, addresses, transfers, tokens, custody_tries, held, findings)
       VALUES ($1, platform.now(), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
      auditValues(audit),
    );
  }

  async save(audit: ChainAuditWithBlock, epoch: bigint): Promise<void> {
    await this.writeFenced(
      audit.network,
      epoch,
      `UPDATE payments.chain_audits SET block_number = $2, block_hash = $3, transfers_wanted = $4, seed = $5, stage = $6,
         position = $7, addresses = $8, transfers = $9, tokens = $10, custody_tries = $11, held = $12, findings = $13,
         ended_at = CASE WHEN $6 = 'ended' THEN platform.now() END
       WHERE network = $1 AND ended_at IS NULL`,
      auditValues(audit),
    );
  }

  private async writeFenced(network: string, epoch: bigint, sql: string, values: unknown[]): Promise<void> {
    await this.database.run(async () => {
      await this.leases.lockUntilCommit(chainAuditLeaseName(network), epoch);
      await this.database.queryInTransaction(sql, values);
    });
  }
}

function auditValues({ network, block, extent, ...audit }: ChainAuditWithBlock): unknown[] {
  const held = Object.fromEntries([...audit.held].map(([asset, amount]) => [asset, String(amount)]));
  return [
    network,
    block.number,
    block.hash,
    extent.transfers,
    extent.seed,
    audit.stage,
    audit.position,
    audit.addresses,
    audit.transfers,
    audit.tokens,
    audit.custodyTries,
    JSON.stringify(held),
    JSON.stringify(audit.findings),
  ];
}

@Injectable()
export class PostgresChainAuditResults extends ChainAuditResults {
  constructor(private readonly database: Database) {
    super();
  }

  async latest(): Promise<ChainAuditResult[]> {
    return this.database.query<ChainAuditResult>(
      `SELECT DISTINCT ON (network, ended_at IS NULL) network, began_at, ended_at,
         block_number AS block, addresses, transfers, tokens, jsonb_array_length(findings) AS findings
       FROM payments.chain_audits ORDER BY network, ended_at IS NULL, began_at DESC`,
    );
  }
}
