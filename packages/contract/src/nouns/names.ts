/** Rules of names and comments (VA-UNIT-01 to -03, VA-MSG-18, -19). */

import { z } from 'zod'
import { rule } from '../define/refusals.ts'

export const NAME_MAX = 255
export const COMMENT_MAX = 100

/** A name of a unit, channel, server, group or device: letters, numbers, underscores and hyphens. */
export const Name = z
  .string()
  .min(1, rule('field.required'))
  .max(NAME_MAX, rule('name.tooLong'))
  .refine((name) => /^[\p{L}\p{N}_-]+$/u.test(name), {
    message: rule('name.letters'),
  })

export const Comment = z.string().max(COMMENT_MAX, rule('text.atMost', { most: COMMENT_MAX }))

/** Most labels of the material of a unit. */
export const METADATA_FIELDS_MAX = 20

/** Metadata must not hold a semicolon (VA-UNIT-10). */
export const MetadataText = z
  .string()
  .max(1024, rule('text.atMost', { most: 1024 }))
  .refine((text) => !text.includes(';'), { message: rule('metadata.semicolon') })

export const PREFIX_MAX = 32

/** The prefix of the names of a unit's files (VA-UNIT-04, -05). */
export const FilenamePrefix = z
  .string()
  .max(PREFIX_MAX, rule('text.atMost', { most: PREFIX_MAX }))
  .regex(/^[\w@~\-+={},!()]*$/, rule('field.pattern'))

/** Neither names nor values hold a semicolon (VA-UNIT-10). */
export const Metadata = z
  .record(MetadataText.min(1, rule('field.required')), MetadataText)
  .refine(
    (fields) => Object.keys(fields).length <= METADATA_FIELDS_MAX,
    rule('list.atMost', { most: METADATA_FIELDS_MAX }),
  )
