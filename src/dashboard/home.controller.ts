import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { may } from '../shared/kernel/dashboard-access.js';
import { DashboardRoute } from '../shared/platform/http/dashboard/dashboard-route.js';
import {
  CurrentVisitor,
  type DashboardVisitor,
} from '../shared/platform/http/dashboard/dashboard-visitor.js';
import { PLACES } from '../shared/web/dashboard/navigation.js';

@Controller('app')
export class HomeController {
  /** The first of the places that this person may see. */
  @DashboardRoute('read')
  @Get()
  show(@CurrentVisitor() { role }: DashboardVisitor, @Res() response: Response): void {
    response.redirect(303, PLACES.find(({ action }) => may(role, action))!.path);
  }
}
