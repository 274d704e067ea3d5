import { expect, test } from 'vitest'
import { NewFileTarget, SENDING_TRIES, sendingPauseMs, targetAddressFault } from './file-targets.ts'

test('an address has the protocol of its kind, a host, of S3 a bucket, and neither a password nor a way up', () => {
  for (const address of ['ftp://nas.example', 'ftps://nas.example:2121/in/news', 'ftp://[2001:db8::1]/in'])
    expect(targetAddressFault('ftp', address)).toBeUndefined()
  for (const address of [
    'nas.example',
    'sftp://nas.example',
    'ftp://',
    'ftp://me:pw@nas.example/',
    'ftp://h/a/../b',
    'ftp://h:99999/',
  ])
    expect(targetAddressFault('ftp', address)).toBe('fileTarget.ftpAddress')
  expect(targetAddressFault('sftp', 'sftp://nas.example/in')).toBeUndefined()
  expect(targetAddressFault('sftp', 'ftp://nas.example/in')).toBe('fileTarget.sftpAddress')
  expect(targetAddressFault('s3', 'https://s3.example/footage/news')).toBeUndefined()
  for (const address of ['https://s3.example', 'https://s3.example/', 's3://footage'])
    expect(targetAddressFault('s3', address)).toBe('fileTarget.s3Address')
})

test('a host key is the fingerprint that ssh-keygen shows', () => {
  const target = { name: 'NAS', kind: 'sftp', address: 'sftp://nas.example/' }
  const hostKey = 'SHA256:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU'
  expect(NewFileTarget.parse({ ...target, hostKey })).toMatchObject({ hostKey, sendsAll: false })
  expect(NewFileTarget.safeParse({ ...target, hostKey: 'SHA256:short' }).success).toBe(false)
})

test('the pauses between tries grow to a quarter of an hour, and end within two hours', () => {
  const pauses = Array.from({ length: SENDING_TRIES - 1 }, (_, at) => sendingPauseMs(at + 1))
  expect(pauses.slice(0, 3)).toEqual([10_000, 20_000, 40_000])
  expect(Math.max(...pauses)).toBe(900_000)
  expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(7_200_000)
})
