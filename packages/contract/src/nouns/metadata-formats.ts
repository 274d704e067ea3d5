import { z } from 'zod'

/** The format of the document about a file, which is stored next to it and sent with it (EN-FILE-13). */
export const MetadataFormat = z.enum(['xml', 'json'])
export type MetadataFormat = z.infer<typeof MetadataFormat>

/** `Harbour.mp4.xml` describes `Harbour.mp4`. */
export const documentName = (fileName: string, format: MetadataFormat): string => `${fileName}.${format}`
