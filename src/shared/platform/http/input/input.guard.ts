import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { omitEnvelope } from '../answers/answer.js';
import { MarkedRoutes } from '../callers/route-markers.js';
import type { RequestBodies } from './request-body.js';
import { UndeclaredInput } from './undeclared-input.js';

/**
 * Last guard of every route, so that unknown routes and missing credentials are answered before the body is read. Not
 * an interceptor, because Nest creates a dozen observables per request for one.
 */
export class InputGuard implements CanActivate {
  private readonly routes: MarkedRoutes;
  private readonly undeclared = new UndeclaredInput();

  constructor(
    reflector: Reflector,
    private readonly bodies: RequestBodies,
  ) {
    this.routes = new MarkedRoutes(reflector);
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { answersRaw, file } = this.routes.marksOf(context);
    if (answersRaw) omitEnvelope(http.getResponse<Response>());
    const reading = this.bodies.read(request, file);
    if (reading === undefined) return this.accept(context, request);
    return reading.then((body) => {
      request.body = body;
      return this.accept(context, request);
    });
  }

  private accept(context: ExecutionContext, request: Request): true {
    this.undeclared.refuse(context, request);
    return true;
  }
}
