import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { EnvelopeInterceptor } from '../answers/success-envelope.interceptor.js';
import type { BodyInterceptor } from '../input/body.interceptor.js';
import type { UndeclaredInputInterceptor } from '../input/undeclared-input.interceptor.js';

/** The three in this order, as one: Nest wraps every interceptor of a request in observables of its own. */
export class HttpInterceptor implements NestInterceptor {
  constructor(
    private readonly body: BodyInterceptor,
    private readonly undeclared: UndeclaredInputInterceptor,
    private readonly envelope: EnvelopeInterceptor,
  ) {}

  intercept(
    context: ExecutionContext,
    next: CallHandler,
  ): Observable<unknown> | Promise<Observable<unknown>> {
    const answered = { handle: () => this.envelope.intercept(context, next) };
    return this.body.intercept(context, { handle: () => this.undeclared.intercept(context, answered) });
  }
}
