export abstract class Passwords {
  /** @returns in PHC string format. Takes some 20 ms of a core: call it outside a unit of work. */
  abstract hash(password: string): Promise<string>;
  /** @param hash null where there is nobody: takes as long, and never matches */
  abstract verify(password: string, hash: string | null): Promise<boolean>;
  /** @param small in small letters */
  abstract isCommon(small: string): boolean;
}
