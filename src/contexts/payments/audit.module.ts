import { Module } from '@nestjs/common';
import { ChainWatchingModule } from '#contexts/chain-watching/chain-watching.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { AuditRecordsDaily } from './application/audit/audit-records-daily.js';
import { AuditRecordsAgainstChain } from './application/audit/audit-records-against-chain.js';
import { AuditResults } from './contract/audit-results.js';
import { ChainAudits, PostgresAuditResults } from './infrastructure/audit/persistence/chain-audits.js';
import { ChainAuditors } from './infrastructure/audit/chain-auditors.js';
import { ChainAuditQueries } from './infrastructure/audit/persistence/chain-audit-queries.js';
import { RequestsModule } from './requests.module.js';

@Module({
  imports: [RequestsModule, NetworksModule],
  providers: [
    AuditRecordsAgainstChain,
    ChainAuditQueries,
    { provide: AuditResults, useClass: PostgresAuditResults },
  ],
  exports: [AuditRecordsAgainstChain, ChainAuditQueries],
})
export class AuditModule {}

@Module({
  imports: [AuditModule, ChainWatchingModule, NetworksModule],
  providers: [AuditRecordsDaily, ChainAuditors, ChainAudits],
})
export class AuditWorkerModule {}
