import { Module } from '@nestjs/common';
import { ChainWatchingModule } from '#contexts/chain-watching/chain-watching.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { AuditChainDaily } from './application/audit/audit-chain-daily.js';
import { AuditChain } from './application/audit/audit-chain.js';
import { AuditResults } from './contract/audit-results.js';
import { AuditedPayments } from './domain/audit/audited-payments.js';
import { ChainAudits } from './domain/audit/chain-audits.js';
import { ChainAuditors } from './infrastructure/audit/chain-auditors.js';
import { PostgresAuditedPayments } from './infrastructure/audit/postgres-audited-payments.js';
import { PostgresAuditResults, PostgresChainAudits } from './infrastructure/audit/postgres-chain-audits.js';
import { RequestsModule } from './requests.module.js';

@Module({
  imports: [RequestsModule, NetworksModule],
  providers: [
    AuditChain,
    { provide: AuditedPayments, useClass: PostgresAuditedPayments },
    { provide: AuditResults, useClass: PostgresAuditResults },
  ],
  exports: [AuditChain, AuditedPayments],
})
export class AuditModule {}

@Module({
  imports: [AuditModule, ChainWatchingModule, NetworksModule],
  providers: [AuditChainDaily, ChainAuditors, { provide: ChainAudits, useClass: PostgresChainAudits }],
})
export class AuditWorkerModule {}
