import type { NetworkCatalogue } from '#contexts/networks/contract/network-catalogue.js';
import { AuditChain } from '#contexts/payments/application/watching/audit/audit-chain.js';
import type { ChainAudit } from '#contexts/payments/domain/watching/chain-audits.js';
import { PostgresAuditedPayments } from '#contexts/payments/infrastructure/watching/persistence/postgres-audited-payments.js';
import { DOLLAR, NETWORK } from '#contexts/payments/testing/requests/collecting-world.js';
import { HashedAddresses } from '#contexts/payments/testing/requests/hashed-addresses.js';
import { ChainsByNetwork } from '#contexts/payments/testing/watching/chains-by-network.js';
import { FollowMoney } from '#contexts/settlement/application/settling/follow-money.js';
import { PostgresSettlements } from '#contexts/settlement/infrastructure/settling/persistence/postgres-settlements.js';
import { SettlementProjection } from '#contexts/settlement/infrastructure/settling/subscribers/settlement-projection.js';
import { SubscriberRunner } from '#shared/platform/event-log/subscriber-runner.js';
import { logSettled } from '#shared/platform/event-log/testing/log-settled.js';
import type { TestPlatform } from '#test/support/open-database.js';
import { PostgresCustodyRecords } from '../between-contexts/custody-records.js';
import { auditWhole } from '../operator/audit/verify-chain.js';
import type { openAuditedWorld } from './audited-world.js';

const ALL = { transfers: null, seed: 'any' };
const CUSTODY = 'custody-is-not-on-chain';
const UNDONE = new Error('undone');

/** Compares the books of an audited world with its chain. */
export class AuditedChain {
  private isPaidOut = false;

  constructor(private readonly world: Awaited<ReturnType<typeof openAuditedWorld>>) {}

  audit(
    extent: ChainAudit['extent'] = ALL,
    catalogue: NetworkCatalogue = this.world.catalogue,
  ): Promise<ChainAudit> {
    const { chain, database, tokens } = this.world;
    const auditChain = new AuditChain(
      new ChainsByNetwork(new Map([[NETWORK, chain]])),
      catalogue,
      new HashedAddresses(),
      new PostgresAuditedPayments(database),
      tokens,
      new PostgresCustodyRecords(database),
    );
    return auditWhole(auditChain, NETWORK, extent, 0);
  }

  /** Audits once this was done without triggers; nothing of it stays. */
  async foundAfter(
    doing: () => Promise<unknown>,
    catalogue?: NetworkCatalogue,
  ): Promise<{ kinds: string[]; custody: string[] } | undefined> {
    const { database } = this.world;
    let found: { kinds: string[]; custody: string[] } | undefined;
    await database
      .run(async () => {
        await database.query('SET LOCAL session_replication_role = replica');
        await doing();
        const audit = await this.audit(ALL, catalogue);
        found = { kinds: kindsIn(audit), custody: custodyIn(audit) };
        throw UNDONE;
      })
      .catch((error: unknown) => {
        if (error !== UNDONE) throw error;
      });
    return found;
  }

  tampered(sql: string, catalogue?: NetworkCatalogue) {
    return this.foundAfter(() => this.world.database.query(sql), catalogue);
  }

  /** @param reference of the payment request that is paid there */
  async addressOf(reference: string): Promise<string> {
    const [row] = await this.world.database.query<{ address: string }>(
      `SELECT a.address FROM payments.payment_requests r
       JOIN payments.deposit_addresses a ON a.payment_request_id = r.id WHERE r.reference_id = $1`,
      [reference],
    );
    return row!.address;
  }

  /** Pays out what the request `paid` received, once. @param between is called between the steps, and at the end */
  async payOut(between: () => Promise<unknown> = async () => undefined): Promise<void> {
    if (this.isPaidOut) return;
    this.isPaidOut = true;
    const { chain, database, platform } = this.world;
    const settling = new SubscriberRunner(database, settlementProjectionOn(platform));
    await settling.register();
    const record = async () => {
      await logSettled(database);
      while (await settling.turn());
    };
    const to = await this.addressOf('paid');
    chain.mine({ to, amount: 12_500_000n, fee: 125_000n, token: DOLLAR.token, kind: 'payout' });
    await this.world.follow();
    await between();
    await record();
    await between();
    await this.world.settle();
    await between();
    chain.mineEmpty(4);
    await this.world.follow();
    await between();
    await record();
    await this.world.settle();
    await between();
  }
}

/** Kinds of findings, but for custody. */
export function kindsIn({ findings }: ChainAudit): string[] {
  return [...new Set(findings.map(({ kind }) => kind).filter((kind) => kind !== CUSTODY))].sort();
}

/** Assets of which custody is not on the chain. */
export function custodyIn({ findings }: ChainAudit): string[] {
  return findings.filter(({ kind }) => kind === CUSTODY).map(({ about }) => about);
}

/** The projection that settlement makes of the events in a test's database. */
function settlementProjectionOn({ clock, database, eventLog }: TestPlatform): SettlementProjection {
  return new SettlementProjection(new FollowMoney(clock, new PostgresSettlements(database, eventLog)));
}
