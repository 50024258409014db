import type { Response } from 'express';

/** A handler returns this in place of a body where status and headers belong to the answer too: a page, a redirection. */
export abstract class SelfSent {
  abstract sendBy(response: Response): void;
}
