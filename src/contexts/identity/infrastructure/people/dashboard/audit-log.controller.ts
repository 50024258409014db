import { Controller, Get, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { DashboardPageQuery } from '#shared/platform/http/dashboard/dashboard-page.query.js';
import { DashboardRoute } from '#shared/platform/http/dashboard/dashboard-route.js';
import { CurrentVisitor, type DashboardVisitor } from '#shared/platform/http/dashboard/dashboard-visitor.js';
import { sendDashboardPage } from '#shared/platform/http/dashboard/send-dashboard-page.js';
import { AuditLogQueries } from '../persistence/audit-log-queries.js';
import { auditLogPage } from './pages/audit-log-page.js';

const PAGE_SIZE = 50;

@Controller('app/audit-log')
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogQueries) {}

  @DashboardRoute('read')
  @Get()
  async list(
    @Query() { page }: DashboardPageQuery,
    @CurrentVisitor() visitor: DashboardVisitor,
    @Res() response: Response,
  ): Promise<void> {
    const paging = { page, pageSize: PAGE_SIZE };
    const entries = await this.auditLog.list(visitor.organizationId, paging);
    sendDashboardPage(response, auditLogPage({ visitor, ...paging, ...entries }));
  }
}
