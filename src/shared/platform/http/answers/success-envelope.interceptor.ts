import { type CallHandler, type ExecutionContext, type NestInterceptor, HttpStatus } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { type Observable, map } from 'rxjs';
import { RAW_ANSWER_ROUTE } from '../callers/route-markers.js';

/** Success is HTTP 200 with the envelope (docs/api/README.md, "Envelope"), whatever the method; `@RawAnswer()` routes go as they are. */
export class EnvelopeInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const raw = this.reflector.getAllAndOverride<boolean>(RAW_ANSWER_ROUTE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (raw) return next.handle();

    const response = context.switchToHttp().getResponse<Response>();
    response.status(HttpStatus.OK);
    return next.handle().pipe(map((data: unknown) => ({ status: 'success', data: data ?? null })));
  }
}
