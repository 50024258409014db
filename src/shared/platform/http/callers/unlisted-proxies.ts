import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { DomainError } from '#shared/kernel/domain-error.js';
import { OperatorLogWriter } from '../../logging/operator-log-writer.js';
import { PLATFORM_LOG_EVENTS } from '../../logging/platform-log-events.js';
import type { JsonLogger } from '../../logging/logger.js';
import { ERROR_CODES } from '../errors/error-codes.js';
import type { CallerAddressResolver } from './caller-address-resolver.js';

const HEALTH_PATH = /^\/health(?:\/|$)/i;

/** Logs the first request from a private proxy that is missing in TRUSTED_PROXIES. */
export function reportUnlistedProxies(callers: CallerAddressResolver, logger: JsonLogger): RequestHandler {
  const log = new OperatorLogWriter('http', PLATFORM_LOG_EVENTS, logger);
  let isLogged = false;
  return (request: Request, _response: Response, next: NextFunction) => {
    const proxy = callers.unlistedProxyOf(request);
    if (proxy === undefined) return next();
    if (!isLogged) {
      isLogged = true;
      log.write('http.unlisted_proxy', { proxy });
    }
    if (!callers.isFromRefusedProxy(request) || HEALTH_PATH.test(request.path)) return next();
    throw new DomainError('unavailable', 'proxy_not_trusted', ERROR_CODES.proxy_not_trusted.sentence);
  };
}
