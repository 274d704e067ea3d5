// The one place where an error becomes an answer.
import { REST_BASE } from '@backhaul/contract/define/endpoint'
import { InvalidRequest, NotFound, Refusal, TooMany } from '@backhaul/contract/define/errors'
import { texts } from '@backhaul/contract/define/texts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { TooDeep } from '../json.ts'
import { demandApplicationId } from './guard.ts'

export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error)
  if (refusal.status >= 500) request.log.error(error, 'failed')
  if (refusal instanceof TooMany) reply.header('retry-after', refusal.retryAfterS)
  return reply
    .code(refusal.status)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(refusal.body()))
}

export class AddressTooLong extends Refusal {
  constructor() {
    super(414, 'The address is too long')
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof TooDeep) return new InvalidRequest([{ field: '(body)', message: error.message }])
  const { code, statusCode } = error as Partial<FastifyError>
  if (statusCode === undefined || statusCode >= 500) return new Refusal(500, texts.generic)
  if (statusCode === 400) return new InvalidRequest([{ field: '(body)', message: texts.invalid }])
  if (code === 'FST_ERR_MAX_PARAM_LENGTH') return new AddressTooLong()
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal(413, 'The request is too large')
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal(415, 'Send application/json')
  return new Refusal(statusCode, texts.generic)
}

/** A call that does not exist: the REST base still asks for the application's name first. */
export function refuseUnknownCall(request: FastifyRequest): never {
  demandApplicationId(request)
  const path = request.url.split('?')[0] ?? ''
  throw new NotFound(`${request.method} ${path.startsWith(REST_BASE) ? path.slice(REST_BASE.length) : path}`)
}
