# shellcheck shell=sh
# What the tests of the packages share: they source it.

# make_clips FOLDER: ref.y4m and dis.y4m, six frames of 96x64 that move, and the same with coarser samples; ref.yuv and dis.yuv without headers.
make_clips() {
    for side in ref dis; do
        perl -e '
            my ($folder, $side) = @ARGV;
            my $step = $side eq "dis" ? 12 : 1;
            open my $y4m, ">:raw", "$folder/$side.y4m" or die;
            open my $yuv, ">:raw", "$folder/$side.yuv" or die;
            print $y4m "YUV4MPEG2 W96 H64 F25:1 Ip A1:1 C420\n";
            for my $n (0 .. 5) {
                my $frame = "";
                for my $plane ([96, 64], [48, 32], [48, 32]) {
                    for my $y (0 .. $plane->[1] - 1) {
                        for my $x (0 .. $plane->[0] - 1) {
                            my $sample = 40 + (($x + 2 * $n) * ($y + 3) * 7 + ($x ^ $y)) % 160;
                            $frame .= chr(int($sample / $step) * $step);
                        }
                    }
                }
                print $y4m "FRAME\n", $frame;
                print $yuv $frame;
            }' "$1" "$side"
    done
}
