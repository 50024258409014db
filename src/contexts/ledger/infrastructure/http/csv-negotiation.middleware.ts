import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';

export const LIST_PATH = '/v1/transactions';
export const CSV_PATH = '/v1/transactions.csv';

/** Who prefers CSV of the list gets the file: the same operation under its other path, with the rules of that. */
@Injectable()
export class CsvNegotiation implements NestMiddleware {
  use(request: Request, response: Response, next: NextFunction): void {
    response.vary('Accept');
    if (request.accepts(['application/json', 'text/csv']) === 'text/csv') {
      request.url = CSV_PATH + request.url.slice(request.path.length);
    }
    next();
  }
}
