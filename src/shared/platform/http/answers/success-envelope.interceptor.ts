import { type CallHandler, type ExecutionContext, type NestInterceptor, HttpStatus } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { type Observable, map } from 'rxjs';
import { MarkedRoutes } from '../callers/route-marks.js';

/** Success is HTTP 200 with the envelope (docs/api/README.md, "Envelope"), whatever the method; `@RawAnswer()` routes go as they are. */
export class EnvelopeInterceptor implements NestInterceptor {
  private readonly routes: MarkedRoutes;

  constructor(reflector: Reflector) {
    this.routes = new MarkedRoutes(reflector);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (this.routes.of(context).answersRaw) return next.handle();

    const response = context.switchToHttp().getResponse<Response>();
    response.status(HttpStatus.OK);
    return next.handle().pipe(map((data: unknown) => ({ status: 'success', data: data ?? null })));
  }
}
