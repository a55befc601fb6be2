import { PredioError } from '../../schemas/errors.ts'

/** The PredioError that it throws; whatever else happens fails the test. */
export function errorOf(run: () => unknown): PredioError {
  try {
    run()
  } catch (error) {
    if (PredioError.is(error)) return error
    throw error
  }
  throw new Error('nothing was thrown')
}
