import { Module } from '@nestjs/common';
import { ChainWatchingModule } from '#contexts/chain-watching/chain-watching.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { RunDailyChainAudit } from './application/audit/run-daily-chain-audit.js';
import { AuditRecordsAgainstChain } from './application/audit/audit-records-against-chain.js';
import { ChainAuditResults } from './contract/chain-audit-results.js';
import { ChainAudits, PostgresChainAuditResults } from './infrastructure/audit/persistence/chain-audits.js';
import { ChainAuditors } from './infrastructure/audit/chain-auditors.js';
import { ChainAuditQueries } from './infrastructure/audit/persistence/chain-audit-queries.js';
import { RequestsModule } from './requests.module.js';

@Module({
  imports: [RequestsModule, NetworksModule],
  providers: [
    AuditRecordsAgainstChain,
    ChainAuditQueries,
    { provide: ChainAuditResults, useClass: PostgresChainAuditResults },
  ],
  exports: [AuditRecordsAgainstChain, ChainAuditQueries],
})
export class ChainAuditModule {}

@Module({
  imports: [ChainAuditModule, ChainWatchingModule, NetworksModule],
  providers: [RunDailyChainAudit, ChainAuditors, ChainAudits],
})
export class ChainAuditWorkerModule {}
