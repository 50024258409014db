import { Module } from '@nestjs/common';
import { TillController } from './infrastructure/tills/till.controller.js';
import { PointOfSaleModule } from './point-of-sale.module.js';

/** Pairs phones with points of sale, for people. Needs `TillSettings`, and `ShownOnce` of a global module. */
@Module({ imports: [PointOfSaleModule], controllers: [TillController] })
export class TillsModule {}
