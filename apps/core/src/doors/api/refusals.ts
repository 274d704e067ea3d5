// The one place where an error becomes an answer.

import { REST_BASE } from '@backhaul/contract/define/endpoint'
import {
  DATABASE_AWAY_CODE,
  InvalidRequest,
  Refusal,
  STORAGE_FULL_CODE,
  TooMany,
  Unavailable,
} from '@backhaul/contract/define/errors'
import { because } from '@backhaul/contract/define/refusals'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type DatabaseFailure, databaseFailureOf } from '../../database/database-failure.ts'
import { TooDeep, tooDeep } from '../json.ts'
import { requireApplicationId } from './guard.ts'
import { loggedPath } from './logged-path.ts'

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error)
  // A failing database is logged with every request until it is over: the text is enough.
  if (refusal instanceof Unavailable && refusal !== error)
    request.log.error(
      { ...ofRequest(request), code: refusal.code, reason: (error as Error).message },
      'request failed: database not available',
    )
  else if (refusal.status >= 500) request.log.error({ ...ofRequest(request), err: error }, 'request failed')
  if ((refusal instanceof TooMany || refusal instanceof Unavailable) && refusal.retryAfterS !== undefined)
    reply.header('retry-after', refusal.retryAfterS)
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusal.body()))
}

const ofRequest = ({ method, url }: FastifyRequest) => ({ method, path: loggedPath(url) })

export class AddressTooLong extends Refusal {
  constructor() {
    super(414, 'request.addressTooLong')
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof TooDeep) return InvalidRequest.at('(body)', tooDeep)
  const failure = databaseFailureOf(error)
  if (failure) return refusalOfFailure(failure)
  const { code, statusCode } = error as Partial<FastifyError>
  if (statusCode === undefined || statusCode >= 500) return new Refusal(500, 'system.error')
  if (statusCode === 400) return InvalidRequest.at('(body)', 'field.invalid')
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new AddressTooLong()
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal(413, 'request.tooLarge')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal(415, 'request.mediaType')
  return new Refusal(statusCode, 'system.error')
}

const refusalOfFailure = (failure: DatabaseFailure): Unavailable =>
  failure === 'storage'
    ? new Unavailable('system.storageFull', { code: STORAGE_FULL_CODE, retryAfterS: 30 })
    : new Unavailable('system.databaseAway', { code: DATABASE_AWAY_CODE, retryAfterS: 5 })

/** A call that does not exist: the REST base still requires the application's name first. */
export function refuseUnknownCall(request: FastifyRequest): never {
  requireApplicationId(request)
  const path = request.url.split('?')[0] ?? ''
  const place = path.startsWith(REST_BASE) ? path.slice(REST_BASE.length) : path
  throw new Refusal(404, because('request.unknownCall', { call: `${request.method} ${place}` }))
}
