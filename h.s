00000000000022a0 <void vmaf::avx512_vnni::(anonymous namespace)::horizontal<0u, (vmaf::PairPart)0>(vmaf::VifColumns const&, unsigned int, vmaf::VifReferenceMoments&, vmaf::VifMoments&)>:
22a0:	mov    %esi,%eax
22a2:	mov    %rdx,%rsi
22a5:	mov    %rcx,%rdx
22a8:	movabs $0x8000000080000000,%rcx
22b2:	vpbroadcastq %rcx,%zmm8
22b8:	movabs $0x8000800080008000,%rcx
22c2:	vpbroadcastq %rcx,%zmm17
22c8:	test   %eax,%eax
22ca:	jne    22d0 <void vmaf::avx512_vnni::(anonymous namespace)::horizontal<0u, (vmaf::PairPart)0>(vmaf::VifColumns const&, unsigned int, vmaf::VifReferenceMoments&, vmaf::VifMoments&)+0x30>
22cc:	vzeroupper
22cf:	ret
