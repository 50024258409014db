import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { omitEnvelope } from '../answers/answer.js';
import { RouteMarkerReader } from '../callers/route-markers.js';
import type { RequestBodyReader } from './request-body.js';
import { UndeclaredInputCheck } from './undeclared-input-check.js';

/**
 * Last guard of every route, so that unknown routes and missing credentials are answered before the body is read. Not
 * an interceptor, because Nest creates a dozen observables per request for one.
 */
export class InputGuard implements CanActivate {
  private readonly routes: RouteMarkerReader;
  private readonly undeclared = new UndeclaredInputCheck();

  constructor(
    reflector: Reflector,
    private readonly bodies: RequestBodyReader,
  ) {
    this.routes = new RouteMarkerReader(reflector);
  }

  canActivate(context: ExecutionContext): true | Promise<true> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    const { answersRaw, file } = this.routes.markersOf(context);
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
