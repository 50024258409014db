import type { Request, RequestHandler, Response } from 'express';
import { invalidField } from '#shared/kernel/domain-error.js';
import { cookiesNamed } from '../browsers/cookies.js';
import { COOKIE_ATTRIBUTES } from '../dashboard/dashboard-answer.js';
import { X_READ_AFTER } from '../openapi/operation-headers.js';
import { DASHBOARD_PATH } from '../dashboard/dashboard-settings.js';
import {
  type ReadAfterWriteContext,
  runInReadAfterWriteContext,
  type WritePosition,
  parseWritePosition,
  formatWritePosition,
} from '../../database/read-after.js';
import type { Replica } from '../../replica/replica.js';

const READ_AFTER_HEADER_NAME = X_READ_AFTER.toLowerCase();
const READ_AFTER_COOKIE = '__Host-dashboard_read_after';
const API_PATH = '/v1/';

/**
 * The request carries the position of the caller's last write, in a header (API) or a cookie (dashboard). Without a
 * replica, malformed headers are still rejected.
 */
export function trackReadAfterWrite(replica: Replica | undefined): RequestHandler {
  return (request, response, next) => {
    const isPage = request.path === DASHBOARD_PATH || request.path.startsWith(`${DASHBOARD_PATH}/`);
    if (!isPage && !request.path.startsWith(API_PATH)) return next();
    if (replica === undefined) {
      if (!isPage) positionFromHeader(request);
      return next();
    }
    const followed: ReadAfterWriteContext = {
      after: isPage ? positionFromCookie(request) : positionFromHeader(request),
      wrote(transaction) {
        const { timeline } = replica;
        if (timeline === undefined) return;
        followed.after = { timeline, transaction };
        if (response.headersSent) return;
        if (isPage) setPositionCookie(response, formatWritePosition(followed.after));
        else response.setHeader(X_READ_AFTER, formatWritePosition(followed.after));
      },
    };
    runInReadAfterWriteContext(followed, next);
  };
}

function positionFromHeader({ headers }: Request): WritePosition | undefined {
  const text = headers[READ_AFTER_HEADER_NAME];
  if (text === undefined) return undefined;
  const position = typeof text === 'string' ? parseWritePosition(text) : undefined;
  if (position !== undefined) return position;
  throw invalidField(
    X_READ_AFTER,
    'log_position',
    'must be the unchanged X-Read-After of an earlier response. Otherwise omit the header.',
  );
}

/** The cookie is not signed, because a forged cookie affects only the sender's own pages. */
function positionFromCookie({ headers }: Request): WritePosition | undefined {
  const [text] = cookiesNamed(READ_AFTER_COOKIE, headers.cookie);
  return text === undefined ? undefined : parseWritePosition(text);
}

function setPositionCookie(response: Response, text: string): void {
  const others = [response.getHeader('Set-Cookie') ?? []]
    .flat()
    .map(String)
    .filter((each) => !each.startsWith(`${READ_AFTER_COOKIE}=`));
  response.setHeader('Set-Cookie', [...others, `${READ_AFTER_COOKIE}=${text}; ${COOKIE_ATTRIBUTES}`]);
}
