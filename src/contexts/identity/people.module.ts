import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditLogQueries } from './application/people/audit-log-queries.js';
import { DashboardSessions } from './application/people/dashboard-sessions.js';
import { Collaborators } from './domain/people/collaborator.js';
import { AuditLogController } from './infrastructure/people/dashboard/audit-log.controller.js';
import { DashboardFailurePages } from './infrastructure/people/dashboard/dashboard-failure-pages.js';
import { DashboardGuard } from './infrastructure/people/dashboard/dashboard.guard.js';
import { PostgresAuditLogQueries } from './infrastructure/people/persistence/postgres-audit-log-queries.js';
import { PostgresCollaborators } from './infrastructure/people/persistence/postgres-collaborators.js';
import { PostgresDashboardSessions } from './infrastructure/people/persistence/postgres-dashboard-sessions.js';

/** People and their sessions. Wants `PeopleSettings` and `DashboardSettings` of a global module. */
@Module({
  controllers: [AuditLogController],
  providers: [
    { provide: Collaborators, useClass: PostgresCollaborators },
    { provide: AuditLogQueries, useClass: PostgresAuditLogQueries },
    { provide: DashboardSessions, useClass: PostgresDashboardSessions },
    { provide: APP_GUARD, useClass: DashboardGuard },
    DashboardFailurePages,
  ],
})
export class PeopleModule {}
