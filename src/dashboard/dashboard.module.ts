import { Module } from '@nestjs/common';
import { HomeController } from './home.controller.js';

/** Pages that join several contexts. */
@Module({ controllers: [HomeController] })
export class DashboardModule {}
