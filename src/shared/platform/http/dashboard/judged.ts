import { InputPipe } from '../validation/validation.js';

const pipe = new InputPipe();

/**
 * Judges a form by the rules of the API's own body, so that both refuse the same in the same words. Call it within
 * `refusalOf`. @throws validation_failed naming the fields
 */
export async function judged<Body extends object>(rules: new () => Body, form: Body): Promise<Body> {
  return (await pipe.transform({ ...form }, { type: 'body', metatype: rules })) as Body;
}
