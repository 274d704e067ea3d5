/** Arguments of ffmpeg as a standard encoder: a small test picture and a tone as MPEG-TS, in real time, without end. */
export const testStream: readonly string[] = (
  '-hide_banner -v error -nostdin -re -f lavfi -i testsrc2=size=320x180:rate=10 -f lavfi -i sine=sample_rate=48000 ' +
  '-c:v libx264 -preset ultrafast -tune zerolatency -g 10 -c:a aac -f mpegts'
).split(' ')
