import { Module } from '@nestjs/common';
import { ChainWatchingModule } from '#contexts/chain-watching/chain-watching.module.js';
import { NetworksModule } from '#contexts/networks/networks.module.js';
import { AuditChainDaily } from './application/audit/audit-chain-daily.js';
import { AuditChain } from './application/audit/audit-chain.js';
import { AuditResults } from './contract/audit-results.js';
import { ChainAudits, PostgresAuditResults } from './infrastructure/audit/persistence/chain-audits.js';
import { ChainAuditors } from './infrastructure/audit/chain-auditors.js';
import { AuditedPayments } from './infrastructure/audit/persistence/audited-payments.js';
import { RequestsModule } from './requests.module.js';

@Module({
  imports: [RequestsModule, NetworksModule],
  providers: [AuditChain, AuditedPayments, { provide: AuditResults, useClass: PostgresAuditResults }],
  exports: [AuditChain, AuditedPayments],
})
export class AuditModule {}

@Module({
  imports: [AuditModule, ChainWatchingModule, NetworksModule],
  providers: [AuditChainDaily, ChainAuditors, ChainAudits],
})
export class AuditWorkerModule {}
